import { Maximize2, Minimize2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { openAssistant } from '../../../client/assistant.ts';
import { to } from '../../../features/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { joined } from '../../ui/joined.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';
import styles from './assist.module.css';
import { Chat } from './Chat.tsx';
import { nameOfMode } from './modes.ts';
import { SafeMarkdown } from './SafeMarkdown.tsx';
import { assistantPorts, useAssist } from './use-assist.ts';

export interface HostProps {
  /** The teaser for who has never opened it, its panel, or neither. */
  readonly shown: 'teaser' | 'open' | 'closed';
  /** A person has opened it since the page was loaded. */
  readonly isAsked: boolean;
  /** A terminal has the keys: nothing may lie over it. */
  readonly covered: boolean;
  /** A piece of a terminal that is to be explained; null: none. */
  readonly explain: string | null;
  readonly onShow: (shown: 'open' | 'closed') => void;
  readonly onExplained: () => void;
}

/** What of the assistant stands beside or over pages. */
export default function AssistHost({ shown, isAsked, covered, explain, onShow, onExplained }: HostProps) {
  const { feature, preferences } = usePage();
  if (explain !== null) return <Explanation text={explain} onDone={onExplained} />;
  // Its own page shows the same.
  if (feature === 'assist' || preferences === null) return null;
  if (shown === 'teaser') return covered ? null : <Teaser onShow={onShow} />;
  return shown === 'open' ? (
    <Panel preferences={preferences} covered={covered} takesKeys={isAsked} onClose={() => onShow('closed')} />
  ) : null;
}

const Teaser = ({ onShow }: { readonly onShow: HostProps['onShow'] }) => (
  <aside className={styles.teaser} aria-label="About the assistant">
    <p>
      <strong>Ask the assistant</strong> about servers, sessions, events and recordings. It proposes commands and never
      runs one.
    </p>
    <div className={styles.line}>
      <Button size="dense" kind="primary" onClick={() => onShow('open')}>
        Try it
      </Button>
      <Button size="dense" onClick={() => onShow('closed')}>
        Close
      </Button>
    </div>
  </aside>
);

function Panel({
  preferences,
  covered,
  takesKeys,
  onClose,
}: {
  readonly preferences: NonNullable<ReturnType<typeof usePage>['preferences']>;
  readonly covered: boolean;
  readonly takesKeys: boolean;
  readonly onClose: () => void;
}) {
  const { follow } = usePage();
  const assist = useAssist();
  const { viewMode, preferredLogins } = useSnapshot(preferences.state).chosen.assist;
  const { current } = useSnapshot(assist.state);
  const mode = nameOfMode(viewMode);
  // The keys do not go with it.
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true });
      });
    },
    [],
  );
  const change = (next: number): void =>
    preferences.change({ assist: { viewMode: next, preferredLogins: [...preferredLogins] } });
  // Beside the page it covers nothing.
  const isHidden = covered && mode !== 'docked';
  const isExpanded = mode === 'expanded' || mode === 'expandedWithHistory';
  return (
    <aside
      className={joined(styles.panel, styles[mode])}
      aria-label="Assistant"
      data-docked={mode === 'docked' || undefined}
      hidden={isHidden}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // The keys go back to the page; the panel stays.
        document.getElementById('page')?.focus({ preventScroll: true });
      }}
    >
      <Chat
        assist={assist}
        wide={mode === 'expandedWithHistory'}
        level={2}
        takesKeys={takesKeys}
        {...(isExpanded && { onHistory: () => change(mode === 'expanded' ? 4 : 3) })}
        onOpen={id => void assist.open(id)}
      >
        <Button
          kind="quiet"
          aria-label={
            mode === 'docked'
              ? 'Show as a popup'
              : isExpanded
                ? 'Make the assistant smaller'
                : 'Make the assistant larger'
          }
          icon={isExpanded ? <Minimize2 aria-hidden="true" /> : <Maximize2 aria-hidden="true" />}
          onClick={() => change(isExpanded ? 2 : mode === 'docked' ? 2 : 3)}
        />
        <Button
          kind="quiet"
          aria-label="Open as a page"
          onClick={() => follow(to('assist', current === '' ? {} : { conversationId: current }))}
        >
          Page
        </Button>
        <Button kind="quiet" aria-label="Close" icon={<X aria-hidden="true" />} onClick={onClose} />
      </Chat>
    </aside>
  );
}

/** What a piece of a terminal means, in the assistant's words. */
function Explanation({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  const { config, sockets } = usePage();
  const [said, setSaid] = useState<{ readonly text: string; readonly isProblem: boolean } | null>(null);
  useEffect(() => {
    const line = openAssistant(
      config.proxyCluster,
      { action: 'ssh-explain' },
      assistantPorts(config.proxyCluster, sockets?.token ?? (() => '')),
      {
        message: ({ type, payload }) => setSaid({ text: payload, isProblem: type === 'CHAT_MESSAGE_ERROR' }),
        over: why => why !== '' && setSaid(before => before ?? { text: why, isProblem: true }),
      },
    );
    line.say(btoa(String.fromCharCode(...new TextEncoder().encode(text))));
    return () => line.close();
  }, [config, sockets, text]);
  return (
    <Dialog title="What this means" size="wide" onEscape={onDone} actions={<Button onClick={onDone}>Close</Button>}>
      <pre className={styles.output}>{text}</pre>
      {said === null && <Spinner />}
      {said !== null &&
        (said.isProblem ? (
          <p className={styles.error} role="alert">
            {said.text}
          </p>
        ) : (
          <SafeMarkdown text={said.text} />
        ))}
      <p className={styles.note}>Answers may be wrong: check what you rely on.</p>
    </Dialog>
  );
}

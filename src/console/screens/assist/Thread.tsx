import { LoaderCircle, Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { Alert } from '../../ui/Alert.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LinkTo, usePage } from '../page.tsx';
import styles from './assist.module.css';
import { CommandCard, Summary } from './CommandCard.tsx';
import { SafeMarkdown } from './SafeMarkdown.tsx';
import type { Assist, Entry } from './store.ts';

/** What was said, the newest at the bottom, which stays in sight while one is there. */
export function Thread({ assist }: { readonly assist: Assist }) {
  const { entries, status, current, problem, about } = useSnapshot(assist.state);
  const place = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const thread = place.current;
    if (thread !== null && isAtEnd.current) thread.scrollTop = thread.scrollHeight;
  });
  return (
    <div
      ref={place}
      className={styles.thread}
      role="log"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that can be scrolled through by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      {problem !== '' && <Alert>{problem}</Alert>}
      {status === 'loading' && <Spinner />}
      {status !== 'loading' && entries.length === 0 && <Landing host={about?.host ?? ''} />}
      {entries.map((entry, at) => (
        <Said
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its place.
          key={`${current} ${at}`}
          entry={entry as Entry}
          assist={assist}
          wasRun={entries[at + 1]?.kind === 'result'}
        />
      ))}
      {status === 'answering' && (
        <p className={styles.typing} role="status">
          <LoaderCircle aria-hidden="true" /> The assistant answers…
        </p>
      )}
    </div>
  );
}

function Said({ entry, assist, wasRun }: { readonly entry: Entry; readonly assist: Assist; readonly wasRun: boolean }) {
  const { config } = usePage();
  switch (entry.kind) {
    case 'user':
      return <p className={styles.user}>{entry.text}</p>;
    case 'assistant':
      return <SafeMarkdown text={entry.text} />;
    case 'error':
      return (
        <p className={styles.error} role="alert">
          {entry.text}
        </p>
      );
    case 'progress':
      return (
        <p className={styles.progress}>
          <Search aria-hidden="true" /> {entry.action}
          {entry.input !== '' && entry.input !== '{}' && <code>{entry.input}</code>}
        </p>
      );
    case 'command':
      return <CommandCard proposal={entry.proposal} conversation={assist.state.current} wasRun={wasRun} />;
    case 'result':
      return (
        <p className={styles.progress}>
          It ran on{' '}
          <LinkTo id="player" params={{ clusterId: config.proxyCluster, sid: entry.sid }}>
            {entry.node}
          </LinkTo>
        </p>
      );
    case 'summary':
      return <Summary text={entry.text} />;
    default:
      return entry satisfies never;
  }
}

/** What it is for, before anything was asked. */
const Landing = ({ host }: { readonly host: string }) => (
  <div className={styles.landing}>
    <h2>Ask about what you may see</h2>
    <ul>
      <li>Finds servers, active sessions, audit events and what recordings printed, with your rights and no others.</li>
      <li>Proposes commands, which you may change. Nothing is run or changed before you press its key.</li>
      <li>Knows the manual.</li>
    </ul>
    <p>Answers may be wrong: check what you rely on.</p>
    {host !== '' && (
      <p>
        What you write here, and what it looks up for you, goes to <code>{host}</code>.
      </p>
    )}
  </div>
);

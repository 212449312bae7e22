import { History as HistoryIcon, Plus, Settings as SettingsIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { Button } from '../../ui/Button.tsx';
import { joined } from '../../ui/joined.ts';
import { Ask } from './Ask.tsx';
import styles from './assist.module.css';
import { History } from './History.tsx';
import { Settings } from './Settings.tsx';
import type { Assist } from './store.ts';
import { Thread } from './Thread.tsx';

/** The assistant, on its page and in its panel: header, conversations, thread, and where one writes. */
export function Chat({
  assist,
  wide,
  level,
  takesKeys,
  onOpen,
  onHistory,
  children,
}: {
  readonly assist: Assist;
  /** The conversations stand beside the thread. */
  readonly wide: boolean;
  readonly level: 1 | 2;
  /** It was asked for: the keys are its own as it comes. */
  readonly takesKeys: boolean;
  /** Another conversation is wanted; '' a new one. */
  readonly onOpen: (id: string) => void;
  /** The conversations are shown or hidden where they can stand beside the thread; absent: in its place. */
  readonly onHistory?: () => void;
  /** Further buttons of the header. */
  readonly children?: ReactNode;
}) {
  const { conversations, current } = useSnapshot(assist.state);
  const [shown, setShown] = useState<'thread' | 'history' | 'settings'>('thread');
  const title = conversations.find(({ id }) => id === current)?.title ?? 'Assistant';
  const Heading = level === 1 ? 'h1' : 'h2';
  useEffect(() => void assist.load(), [assist]);
  const open = (id: string): void => {
    setShown('thread');
    onOpen(id);
  };
  return (
    <>
      <header className={styles.head}>
        <Button
          kind="quiet"
          aria-label="Conversations"
          aria-pressed={wide || shown === 'history'}
          icon={<HistoryIcon aria-hidden="true" />}
          onClick={onHistory ?? (() => setShown(shown === 'history' ? 'thread' : 'history'))}
        />
        <Button
          kind="quiet"
          aria-label="New conversation"
          icon={<Plus aria-hidden="true" />}
          onClick={() => open('')}
        />
        <Heading className={styles.title}>{title}</Heading>
        <Button
          kind="quiet"
          aria-label="Settings of the assistant"
          aria-pressed={shown === 'settings'}
          icon={<SettingsIcon aria-hidden="true" />}
          onClick={() => setShown(shown === 'settings' ? 'thread' : 'settings')}
        />
        {children}
      </header>
      <div className={joined(styles.body, wide && styles.wide)}>
        {(wide || shown === 'history') && <History assist={assist} onOpen={open} />}
        {shown === 'settings' && <Settings onDone={() => setShown('thread')} />}
        {shown === 'thread' && (
          <div className={styles.talk}>
            <Thread assist={assist} />
            <Ask assist={assist} takesKeys={takesKeys} onAsked={onOpen} />
          </div>
        )}
      </div>
    </>
  );
}

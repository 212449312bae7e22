import { SendHorizontal, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ASKED_MOST_CHARACTERS } from '../../../contract/assistant.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './assist.module.css';
import type { Assist } from './store.ts';

/** Where one writes: it grows, Enter sends, Shift+Enter begins a line. What is sent while an answer comes waits for its end; Escape stops the answer. */
export function Ask({
  assist,
  takesKeys,
  onAsked,
}: {
  readonly assist: Assist;
  /** As it comes; another conversation always begins with the keys here. */
  readonly takesKeys: boolean;
  readonly onAsked: (id: string) => void;
}) {
  const { status, current, about } = useSnapshot(assist.state);
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const isBusy = status !== 'idle';
  /** It was sent while an answer came, and has not been changed since. */
  const [waits, setWaits] = useState(false);
  const shown = useRef(takesKeys ? '' : current);
  const isThere = useRef(!takesKeys);
  useEffect(() => {
    if (isThere.current && shown.current === current) return;
    isThere.current = true;
    shown.current = current;
    field.current?.focus({ preventScroll: true });
  }, [current]);
  const send = async (): Promise<void> => {
    if (text.trim() === '') return;
    setWaits(isBusy);
    if (isBusy) return;
    setText('');
    const id = await assist.ask(text);
    if (id !== '') onAsked(id);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits goes when the answer is over, whatever else is drawn anew.
  useEffect(() => {
    if (waits && !isBusy) void send();
  }, [waits, isBusy]);
  return (
    <form
      className={styles.ask}
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        aria-label="Question to the assistant"
        placeholder="Ask the assistant"
        rows={Math.min(8, text.split('\n').length)}
        maxLength={ASKED_MOST_CHARACTERS}
        value={text}
        aria-describedby="assist-note"
        onChange={event => {
          setText(event.target.value);
          setWaits(false);
        }}
        onKeyDown={event => {
          if (event.key === 'Escape' && status === 'answering') {
            event.stopPropagation();
            assist.stop();
          }
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      {status === 'answering' ? (
        <Button icon={<Square aria-hidden="true" />} aria-label="Stop the answer" onClick={assist.stop} />
      ) : (
        <Button
          kind="primary"
          type="submit"
          aria-label="Send"
          disabled={isBusy || text.trim() === ''}
          icon={<SendHorizontal aria-hidden="true" />}
        />
      )}
      <p id="assist-note" className={styles.note}>
        {about !== null && about.host !== '' ? (
          <>
            Goes to {about.model} at <code>{about.host}</code>.{' '}
          </>
        ) : null}
        {waits
          ? 'It is sent when the answer is over. Escape stops the answer.'
          : status === 'answering'
            ? 'Escape stops the answer.'
            : 'Enter sends, Shift+Enter begins a line.'}
      </p>
    </form>
  );
}

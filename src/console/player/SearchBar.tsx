import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

/** Hits listed; all of them are marked on the timeline. */
const LISTED_HITS = 50;

/** Searches the printed text: Enter searches and then walks on, Escape ends it. */
export function SearchBar({ playback, onEnd }: { readonly playback: Playback; readonly onEnd: () => void }) {
  const { search } = useSnapshot(playback.state);
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const from = Math.max(0, Math.min(search.current - LISTED_HITS / 2, search.hits.length - LISTED_HITS));
  const said =
    search.text === ''
      ? ''
      : search.running
        ? `${Math.round((100 * search.done) / Math.max(1, search.of))} %, ${search.hits.length} found`
        : search.hits.length === 0
          ? 'None found'
          : `${search.current + 1} of ${search.hits.length}${search.cut ? ' or more' : ''}`;
  return (
    <search className={styles.search}>
      <div className={styles.row}>
        <input
          ref={input}
          className={styles.field}
          aria-label="Search the recording"
          placeholder="Search the recording"
          maxLength={200}
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter' && text !== search.text) void playback.find(text);
            else if (event.key === 'Enter') playback.step(event.shiftKey ? -1 : 1);
            else if (event.key === 'Escape') onEnd();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <output className={styles.count}>{said}</output>
        {search.running && (
          <button type="button" className={styles.button} onClick={playback.stopFinding}>
            Stop
          </button>
        )}
        <button
          type="button"
          className={styles.icon}
          aria-label="Previous match"
          title="Previous match (N)"
          onClick={() => playback.step(-1)}
        >
          <ChevronUp size={14} aria-hidden />
        </button>
        <button
          type="button"
          className={styles.icon}
          aria-label="Next match"
          title="Next match (n)"
          onClick={() => playback.step(1)}
        >
          <ChevronDown size={14} aria-hidden />
        </button>
        <button
          type="button"
          className={styles.icon}
          aria-label="End the search"
          title="End the search (Escape)"
          onClick={onEnd}
        >
          <X size={14} aria-hidden />
        </button>
      </div>
      {search.hits.length > 0 && (
        <ol className={styles.hits}>
          {search.hits.slice(from, from + LISTED_HITS).map((hit, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: hits never change places, and two may be alike
            <li key={from + index} aria-current={from + index === search.current}>
              <button type="button" onClick={() => playback.step(from + index - search.current)}>
                <time>{clockText(hit.ms)}</time> {hit.line}
              </button>
            </li>
          ))}
        </ol>
      )}
    </search>
  );
}

import { Square } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { BarButton } from '../ui/BarButton.tsx';
import { FindBar } from '../ui/FindBar.tsx';
import { clockText } from './clock.ts';
import type { Playback } from './playback.ts';
import styles from './player.module.css';

/** Hits listed; all of them are marked on the timeline. */
const LISTED_HITS = 50;

/**
 * Searches the printed text. Enter searches and gives the keys back to the player, whose keys walk through the hits; closed, the hits
 * stay. An empty text forgets them.
 */
export function SearchBar(props: {
  readonly playback: Playback;
  readonly onSearched: () => void;
  readonly onClose: () => void;
}) {
  const { playback, onSearched, onClose } = props;
  const { search } = useSnapshot(playback.state);
  const [text, setText] = useState(search.text);

  const from = Math.max(0, Math.min(search.current - LISTED_HITS / 2, search.hits.length - LISTED_HITS));
  const found =
    search.text === ''
      ? ''
      : search.running
        ? `${Math.round((100 * search.done) / Math.max(1, search.of))} %, ${search.hits.length} found`
        : search.hits.length === 0
          ? 'None found'
          : `${search.current + 1} of ${search.hits.length}${search.cut ? ' or more' : ''}`;
  return (
    <FindBar
      label="Search the recording"
      text={text}
      onText={setText}
      found={found}
      onEnter={isBack => {
        if (text === search.text) playback.step(isBack ? -1 : 1);
        else void playback.find(text);
        onSearched();
      }}
      onStep={playback.step}
      onClose={onClose}
      keys={{ previous: 'N', next: 'n' }}
      options={
        search.running && (
          <BarButton name="Stop searching" onClick={playback.stopSearching}>
            <Square size={12} aria-hidden />
          </BarButton>
        )
      }
    >
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
    </FindBar>
  );
}

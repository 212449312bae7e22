import { Fragment, useEffect, useRef, useState } from 'react';
import type { Pod } from '../../../contract/pods.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePage } from '../page.tsx';
import styles from './kubes.module.css';
import { type LogLines, linesWith, noLines, withText } from './log.ts';
import { useLive } from './use-live.ts';

/** Nearer to the end than this, what comes is followed, px. */
const END_PX = 24;

/** The log of one container of a pod, followed while its end is on screen. The address says which, and what is looked for in it. */
export function Log({ pod }: { readonly pod: Pod }) {
  const { query, setQuery } = usePage();
  const container = query.container ?? pod.containers[0]?.name ?? '';
  const previous = query.previous === 'yes';
  const search = query.search ?? '';
  const [log, setLog] = useState<LogLines>(noLines);
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  const [follows, setFollows] = useState(true);
  const begins = useRef(true);
  const place = useRef<HTMLElement>(null);
  const asked = `${pod.namespace} ${pod.name} ${container} ${previous}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another container's log begins anew.
  useEffect(() => {
    setLog(noLines);
    setSaid(null);
    begins.current = true;
  }, [asked]);
  useLive(
    { what: 'log', namespace: pod.namespace, pod: pod.name, container, previous },
    {
      hear({ text = '' }) {
        // After a loss the last lines come again.
        const before = begins.current;
        begins.current = false;
        setLog(now => withText(before ? noLines : now, text));
        setSaid(null);
      },
      lost() {
        begins.current = true;
        setSaid({ text: 'The connection was lost: trying again.', isBad: false });
      },
      over: why => setSaid({ text: why || 'The log ends here.', isBad: why !== '' }),
    },
  );
  const lines = linesWith(log, search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has come moves the end.
  useEffect(() => {
    if (follows && place.current) place.current.scrollTop = place.current.scrollHeight;
  }, [lines.length, log, follows]);
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label="Search the log"
          placeholder="Lines that hold"
          value={search}
          live
          mono
          onSearch={text => setQuery({ search: text })}
        />
        <select
          className={styles.namespace}
          aria-label="Container"
          value={container}
          onChange={({ target: { value } }) => setQuery({ container: value })}
        >
          {pod.containers.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <Button
          kind="quiet"
          aria-pressed={previous}
          title="The log of the container before its last restart"
          onClick={() => setQuery({ previous: previous ? undefined : 'yes' })}
        >
          Previous
        </Button>
        <Button kind="quiet" aria-pressed={follows} onClick={() => setFollows(!follows)}>
          Follow
        </Button>
        <output className={styles.live}>
          {search === '' ? '' : `${lines.length} ${lines.length === 1 ? 'line holds' : 'lines hold'} it`}
        </output>
      </div>
      {said?.isBad === true && <Alert>{said.text}</Alert>}
      <section
        ref={place}
        className={styles.log}
        aria-label={`Log of ${container}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a log is scrolled through by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollows(scrollHeight - scrollTop - clientHeight < END_PX)
        }
      >
        {log.isCut && <span className={styles.aside}>Older lines are not shown.{'\n'}</span>}
        {search === '' ? lines.join('\n') : marked(lines, search)}
        {said?.isBad === false && <span className={styles.aside}>{`\n${said.text}`}</span>}
        {lines.length === 0 && said === null && (
          <span className={styles.aside}>
            {search === '' ? 'Nothing has been printed yet.' : 'No line holds that.'}
          </span>
        )}
      </section>
    </>
  );
}

/** Lines with what was looked for marked, the first time that a line holds it. */
const marked = (lines: readonly string[], text: string) =>
  lines.map((line, at) => {
    const from = line.toLowerCase().indexOf(text.toLowerCase());
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its place.
      <Fragment key={at}>
        {line.slice(0, from)}
        <mark>{line.slice(from, from + text.length)}</mark>
        {`${line.slice(from + text.length)}\n`}
      </Fragment>
    );
  });

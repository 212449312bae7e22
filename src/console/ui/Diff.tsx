import styles from './diff.module.css';
import { diffLines, nearChanges } from './diff.ts';
import { joined } from './joined.ts';

const signs = { same: ' ', added: '+', removed: '−' } as const;
const words = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

/** What a text says that it did not say before, and the other way round, with the lines around it. */
export function Diff({
  label,
  before,
  after,
}: {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that can be scrolled through by keyboard.
    <section aria-label={label} tabIndex={0} className={styles.diff}>
      {nearChanges(diffLines(before, after)).map((line, at) =>
        line === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
          <div key={at} className={styles.left}>
            …
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name.
          <div key={at} className={joined(styles.line, styles[line.kind])}>
            <span className={styles.place} aria-hidden="true">
              {line.line}
            </span>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <code>
              <span className="visually-hidden">{words[line.kind]}</span>
              {line.text}
            </code>
          </div>
        ),
      )}
    </section>
  );
}

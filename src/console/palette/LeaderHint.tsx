import { useSnapshot } from 'valtio';
import type { Command, Facts } from '../../../commands/command.ts';
import { commands } from '../../../commands/index.ts';
import { KeyCap } from '../ui/KeyCap.tsx';
import { useCommanding } from './context.tsx';
import styles from './help.module.css';
import type { Keymap } from './keymap.ts';

/** Rows shown at most: the keys are read at a glance, and the help sheet has them all. */
const ROWS_MOST = 24;

/** What the next key would do, one row for each; several commands behind one key are counted. */
export function following(
  rows: readonly Command[],
  facts: Facts,
  keymap: Pick<Keymap, 'allKeysOf'>,
  pending: readonly string[],
): readonly (readonly [stroke: string, text: string])[] {
  const found = new Map<string, string[]>();
  for (const { id, title, when } of rows) {
    if (when !== undefined && !when(facts)) continue;
    for (const text of keymap.allKeysOf(id).page) {
      const strokes = text.split(' ');
      const stroke = strokes[pending.length];
      if (stroke === undefined || !pending.every((one, index) => one === strokes[index])) continue;
      found.set(stroke, [...(found.get(stroke) ?? []), title]);
    }
  }
  return [...found]
    .filter(([stroke]) => stroke.length === 1)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .slice(0, ROWS_MOST)
    .map(([stroke, titles]) => [stroke, titles.length === 1 ? (titles[0] ?? '') : `${titles.length} commands`]);
}

/** The keys that can follow the leader key, above the status line while it is awaited what follows. */
export function LeaderHint() {
  const { keymap, facts } = useCommanding();
  const { pending } = useSnapshot(keymap.state);
  return (
    <aside className={styles.leader} aria-label="Keys that can follow">
      <dl>
        {following(commands, facts(), keymap, pending).map(([stroke, text]) => (
          <div key={stroke}>
            <dt>
              <KeyCap chord={stroke} />
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>
        <KeyCap chord="escape" /> gives the keys back to the shell
      </p>
    </aside>
  );
}

import type { Thing } from '../../../commands/command.ts';
import { closedTo } from '../../../commands/gates.ts';
import { commandsOf, destructiveLast, primaryOf } from '../../../commands/of-thing.ts';
import { whyNot } from '../../../commands/why.ts';
import { CommandItem } from '../palette/CommandItem.tsx';
import { useCommanding, useRegistry } from '../palette/context.tsx';
import styles from './list-page.module.css';

/** What can be done with the row, or with all marked rows: first what Enter does, then the registry's commands, then the list's own. */
export function RowMenu({
  things,
  isBulk,
  bulk,
  canPin,
  onChoose,
}: {
  readonly things: readonly Thing[];
  readonly isBulk: boolean;
  readonly bulk: readonly string[];
  readonly canPin: boolean;
  readonly onChoose: () => void;
}) {
  const { facts } = useCommanding();
  const known = useRegistry();
  const thing = isBulk ? undefined : things[0];
  const first = thing && primaryOf(thing, facts(), known);
  const why = thing && closedTo(thing) !== undefined ? whyNot(thing, facts()) : undefined;
  const others = thing
    ? commandsOf(thing, known).filter(row => row !== first)
    : destructiveLast(bulk.map(known.byId).filter(row => row !== undefined));
  return (
    <>
      {thing !== undefined && first !== undefined && (
        <CommandItem id="list.open" refused={closedTo(thing)} onChoose={onChoose}>
          {first.onThing?.title(thing.title)}
        </CommandItem>
      )}
      {why !== undefined && (
        <CommandItem id="rights.why" given={why} onChoose={onChoose}>
          Why not?
        </CommandItem>
      )}
      {(isBulk || thing !== undefined) &&
        others.map(({ id, onThing, refuses }) => (
          <CommandItem
            key={id}
            id={id}
            things={isBulk ? [] : things}
            refused={thing && (thing.refused ?? refuses?.(thing))}
            onChoose={onChoose}
          >
            {thing && onThing?.title(thing.title)}
          </CommandItem>
        ))}
      <hr className={styles.menuLine} />
      <CommandItem id={isBulk ? 'list.clear' : 'list.mark'} onChoose={onChoose} />
      {canPin && (
        <CommandItem id="list.pin" onChoose={onChoose}>
          {isBulk ? 'Pin or unpin the rows' : undefined}
        </CommandItem>
      )}
      <CommandItem id="list.copy" onChoose={onChoose}>
        {isBulk ? 'Copy the names of the rows' : undefined}
      </CommandItem>
    </>
  );
}

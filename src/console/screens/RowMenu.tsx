import type { Thing } from '../../../commands/command.ts';
import { closedTo } from '../../../commands/gates.ts';
import { commandById, commands } from '../../../commands/index.ts';
import { CommandItem } from '../palette/CommandItem.tsx';
import type { RowAction } from '../ui/row-action.ts';
import styles from './list-page.module.css';

/** Commands that a thing can be given to, what cannot be undone last. */
const commandsFor = ({ kind }: Thing): readonly string[] =>
  destructiveLast(commands.filter(({ args }) => args?.[0]?.takes === kind).map(({ id }) => id));

const isDestructive = (id: string): boolean => commandById(id)?.destructive === true;
const destructiveLast = (ids: readonly string[]): readonly string[] =>
  ids.toSorted((one, other) => Number(isDestructive(one)) - Number(isDestructive(other)));

/** What can be done with the row, or with all marked rows: first what Enter does, then the registry's commands, then the list's own. */
export function RowMenu({
  things,
  first,
  isBulk,
  bulk,
  opens,
  canPin,
  onChoose,
}: {
  readonly things: readonly Thing[];
  /** What Enter does on the row. */
  readonly first: RowAction | null;
  readonly isBulk: boolean;
  readonly bulk: readonly string[];
  readonly opens: string | undefined;
  readonly canPin: boolean;
  readonly onChoose: () => void;
}) {
  const [thing] = things;
  const ids = isBulk ? destructiveLast(bulk) : thing === undefined ? [] : commandsFor(thing);
  return (
    <>
      {first !== null && (
        <CommandItem id="list.open" refused={first.refused ?? (thing && closedTo(thing))} onChoose={onChoose}>
          {first.title}
        </CommandItem>
      )}
      {ids.map(
        id =>
          (id !== opens || first === null) && (
            <CommandItem
              key={id}
              id={id}
              things={isBulk ? [] : things}
              refused={isBulk ? undefined : thing?.refused}
              onChoose={onChoose}
            />
          ),
      )}
      <hr className={styles.menuLine} />
      {isBulk ? (
        <CommandItem id="list.clear" onChoose={onChoose} />
      ) : (
        <CommandItem id="list.mark" onChoose={onChoose} />
      )}
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

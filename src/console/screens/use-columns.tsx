// The columns of a list as they are drawn: what its screen says, what the person chose, and the labels that most rows carry.
import { type ReactNode, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Thing } from '../../../commands/command.ts';
import type { Label } from '../../contract/shapes.ts';
import { Pills } from '../ui/Pills.tsx';
import type { Column } from '../ui/table-column.ts';
import {
  chosenColumns,
  columnsAtFirst,
  commonLabels,
  LABEL_COLUMNS_MOST,
  LABELS,
  labelKey,
  labelNames,
  thingKey,
} from './list-choices.ts';
import styles from './list-page.module.css';
import { Pinned } from './Pinned.tsx';

/** From these widths on there is room for several labels beside each other, or for one (frame.module.css, table.module.css). */
const rooms = { wide: '(min-width: 1056px)', narrow: '(min-width: 656px)' } as const;
const onWidth = (heard: () => void): (() => void) => {
  const queries = Object.values(rooms).map(room => matchMedia(room));
  for (const query of queries) query.addEventListener('change', heard);
  return () => {
    for (const query of queries) query.removeEventListener('change', heard);
  };
};
const roomNow = (): keyof typeof LABEL_COLUMNS_MOST =>
  matchMedia(rooms.wide).matches ? 'wide' : matchMedia(rooms.narrow).matches ? 'narrow' : 'phone';

interface ColumnsOf<Row> {
  readonly own: readonly Column<Row>[];
  /** Keys of the columns that the person chose; undefined: none were chosen yet. */
  readonly chosen: readonly string[] | undefined;
  /** Keys of all that is pinned. */
  readonly pins: readonly string[];
  /** Those that are in memory. */
  readonly rows: readonly Row[];
  readonly thingOf: (row: Row) => Thing | null;
  /** Undefined where rows have no labels, and cannot be pinned. */
  readonly labelsOf: ((row: Row) => readonly Label[]) | undefined;
  readonly onPin: (thing: Thing) => void;
  readonly onPick: (label: Label) => void;
}

/** All columns there are, those to draw, and the keys of those that are shown while nobody has chosen. */
export function useColumns<Row>({ own, chosen, pins, rows, thingOf, labelsOf, onPin, onPick }: ColumnsOf<Row>) {
  const room = useSyncExternalStore(onWidth, roomNow);
  // Of the first rows that came: columns that came and went while one scrolls would be worse than none.
  const [first, setFirst] = useState(rows);
  if (first.length === 0 && rows.length > 0) setFirst(rows);
  const labels = useMemo(
    () => (labelsOf === undefined ? [] : commonLabels(first, labelsOf).slice(0, LABEL_COLUMNS_MOST[room])),
    [first, room, labelsOf],
  );
  const latest = useRef({ onPin, onPick, thingOf });
  latest.current = { onPin, onPick, thingOf };
  const isPinned = useMemo(() => new Set(pins), [pins]);

  const all = useMemo(() => {
    if (labelsOf === undefined) return own;
    const named = own.map((column, index) => (index > 0 ? column : withPin(column, latest, isPinned)));
    const actions = named.filter((column, index) => index > 0 && column.quiet === true);
    return [
      ...named.filter(column => !actions.includes(column)),
      { key: LABELS, title: 'Labels', phone: 'rest' as const, draw: () => null },
      ...actions,
    ];
  }, [own, labelsOf, isPinned]);
  const atFirst = useMemo(() => columnsAtFirst(all, labels), [all, labels]);
  const columns = useMemo(() => {
    const keys = chosen ?? atFirst;
    const apart = labelNames(keys);
    const pick = (label: Label): void => latest.current.onPick(label);
    const labelColumn = (name: string): Column<Row> => ({
      key: labelKey(name),
      title: name,
      width: '10%',
      isNamed: true,
      draw: row => {
        const label = labelsOf?.(row).find(one => one.name === name);
        return label && <LabelValue label={label} onPick={pick} />;
      },
    });
    return chosenColumns(all, keys, labelColumn).map(column =>
      column.key !== LABELS
        ? column
        : {
            ...column,
            // A short word: the column is as narrow as what is left beside the others.
            title: apart.length > 0 ? 'More' : 'Labels',
            draw: (row: Row): ReactNode => (
              <Pills labels={(labelsOf?.(row) ?? []).filter(label => !apart.includes(label.name))} onPick={pick} />
            ),
          },
    );
  }, [all, chosen, atFirst, labelsOf]);
  return { all, columns, atFirst };
}

/** The first column with the star that pins its row. */
function withPin<Row>(
  column: Column<Row>,
  latest: { readonly current: Pick<ColumnsOf<Row>, 'thingOf' | 'onPin'> },
  isPinned: ReadonlySet<string>,
): Column<Row> {
  return {
    ...column,
    draw: row => {
      const thing = latest.current.thingOf(row);
      if (thing === null) return column.draw(row);
      return (
        <Pinned
          title={thing.title}
          isPinned={isPinned.has(thingKey(thing))}
          onToggle={() => latest.current.onPin(thing)}
        >
          {column.draw(row)}
        </Pinned>
      );
    },
  };
}

function LabelValue({ label, onPick }: { readonly label: Label; readonly onPick: (label: Label) => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.value}
      title={`Filter by ${label.name}: ${label.value}`}
      onClick={() => onPick(label)}
    >
      {label.value}
    </button>
  );
}

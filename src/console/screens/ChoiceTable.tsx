import { Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { actionsColumn } from '../ui/table-column.ts';
import styles from './choice-page.module.css';

/** What there is to choose from, a part at a time: Enter or the row's button takes one, or gives it back. */
export function ChoiceTable<Choice extends { readonly title: string }>({
  label,
  asked,
  find,
  columns,
  nameWidth,
  actions,
  keyOf,
  chosen,
  onToggle,
  takesFocus = false,
}: {
  readonly label: string;
  /** What `find` looks for, as one text: another one begins anew. */
  readonly asked: string;
  readonly find: (startKey: string) => Promise<{ readonly items: readonly Choice[]; readonly startKey: string }>;
  /** Between the name and the row's button. */
  readonly columns: readonly Column<Choice>[];
  readonly nameWidth: string;
  /** What the row's button says of one that is not chosen, and how wide its column is. */
  readonly actions: { readonly add: string; readonly width: string };
  readonly keyOf: (choice: Choice) => string;
  readonly chosen: readonly Choice[];
  readonly onToggle: (choice: Choice) => void;
  /** The first row takes the focus once it is here: nothing before the table does. */
  readonly takesFocus?: boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState<readonly Choice[]>([]);
  const [next, setNext] = useState('');
  const [isBusy, setBusy] = useState(true);
  const [error, setError] = useState('');
  const times = useRef(0);
  const load = async (startKey: string): Promise<void> => {
    times.current += 1;
    const mine = times.current;
    setBusy(true);
    setError('');
    try {
      const found = await find(startKey);
      // Something else was asked for meanwhile.
      if (mine !== times.current) return;
      setRows(before => (startKey === '' ? found.items : [...before, ...found.items]));
      setNext(found.startKey);
    } catch (problem) {
      if (mine === times.current) setError(toApiError(problem).message);
    }
    if (mine === times.current) setBusy(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when something else is asked for, and then alone.
  useEffect(() => {
    void load('');
  }, [asked]);

  const hasRows = rows.length > 0;
  useEffect(() => {
    if (takesFocus && hasRows) frame.current?.querySelector<HTMLElement>('tbody tr')?.focus();
  }, [takesFocus, hasRows]);

  const isChosen = (choice: Choice): boolean => chosen.some(one => keyOf(one) === keyOf(choice));
  return (
    <div ref={frame} className={styles.choices}>
      {error !== '' && <Alert>{error}</Alert>}
      <Table<Choice>
        label={label}
        columns={[
          { key: 'name', title: 'Name', mono: true, width: nameWidth, phone: 'first', draw: one => one.title },
          ...columns,
          actionsColumn(actions.width, choice => {
            const word = isChosen(choice) ? 'Remove' : actions.add;
            return (
              <Button
                kind={isChosen(choice) ? 'secondary' : 'quiet'}
                size="dense"
                tabIndex={-1}
                data-shown={isChosen(choice) || undefined}
                aria-label={`${word} ${choice.title}`}
                icon={isChosen(choice) ? <Minus aria-hidden="true" /> : <Plus aria-hidden="true" />}
                onClick={() => onToggle(choice)}
              >
                {word}
              </Button>
            );
          }),
        ]}
        rows={rows}
        rowKey={keyOf}
        busy={isBusy}
        empty={error === '' ? 'There is none.' : 'Nothing could be loaded.'}
        onOpen={choice => {
          onToggle(choice);
          return true;
        }}
        footer={
          next !== '' && (
            <Button size="dense" disabled={isBusy} onClick={() => void load(next)}>
              Load more
            </Button>
          )
        }
      />
    </div>
  );
}

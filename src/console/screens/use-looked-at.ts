import { useEffect, useState } from 'react';
import type { ChangesMessage } from '../../contract/changes.ts';
import { usePage } from './page.tsx';

/**
 * A list of which one thing is looked at above its rows: the one that the address names or that the cursor is on, else the one that comes first.
 * `rank`: the lowest comes first.
 */
export function useLookedAt<Row extends { readonly id: string }>(
  list: ChangesMessage['changed'],
  named: string | undefined,
  rank: (row: Row) => number,
) {
  const { onListChanged } = usePage();
  const [version, setVersion] = useState(0);
  const [known, setKnown] = useState<readonly Row[]>([]);
  const [chosen, setChosen] = useState('');
  useEffect(() => onListChanged(list, () => setVersion(count => count + 1)), [onListChanged, list]);
  useEffect(() => setChosen(named ?? ''), [named]);
  return {
    /** Changes when the gateway says that the list has. */
    version,
    /** Hears what there is, whenever it is asked. */
    setKnown,
    shown: known.find(({ id }) => id === chosen) ?? [...known].sort((one, other) => rank(one) - rank(other))[0],
    onSelected: ([row]: readonly { readonly id: string }[]): void => {
      if (row) setChosen(row.id);
    },
  };
}

import type { ReactNode } from 'react';
import type { listApps, listDatabases, listDesktops, listKubes } from '../../contract/resources.ts';
import type { Label, Page } from '../../contract/shapes.ts';
import { itemsOf } from '../../features/items.ts';
import { nouns } from '../../features/nouns.ts';
import type { Column } from '../ui/table-column.ts';
import { EmptyResources } from './EmptyResources.tsx';
import { PagedList } from './PagedList.tsx';
import { usePage } from './page.tsx';
import { useConnecting } from './use-named.ts';

interface Resource {
  readonly name: string;
  readonly labels: readonly Label[];
}
const labelsOf = ({ labels }: Resource): readonly Label[] => labels;
const nameOf = ({ name }: Resource): string => name;

/** Declared resources of one kind that this person's roles select. */
export function ResourceList<Row extends Resource>({
  noun,
  list,
  file,
  columns,
  connect,
  version,
}: {
  readonly noun: 'application' | 'database' | 'desktop' | 'kubernetes';
  readonly list: typeof listApps | typeof listDatabases | typeof listDesktops | typeof listKubes;
  /** Example name of a file that declares one. */
  readonly file: string;
  readonly columns: readonly Column<Row>[];
  /** How to connect to the one that the address names. */
  readonly connect?: (row: Row, close: () => void) => ReactNode;
  /** Another one: something was changed, and the rows are asked for anew. */
  readonly version?: number;
}) {
  const { api, clusterId } = usePage();
  const { open, fetchPage, close } = useConnecting<Row>(
    nouns[noun].one,
    query => api(list, { params: { clusterId }, query }) as Promise<Page<Resource>> as Promise<Page<Row>>,
  );
  return (
    <>
      <PagedList<Row>
        noun={noun}
        thingOf={itemsOf(noun).thing}
        labelsOf={labelsOf}
        sort={{ key: 'name', down: false }}
        rowKey={nameOf}
        fetchPage={fetchPage}
        {...(version === undefined ? {} : { version })}
        columns={columns}
        empty={<EmptyResources kind={nouns[noun].many} file={file} />}
      />
      {open !== null && connect?.(open, close)}
    </>
  );
}

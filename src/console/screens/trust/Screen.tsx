import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listTrustedClusters, type TrustedClusterItem } from '../../../contract/trusted-clusters.ts';
import { trustedClusterThing, trustedClusterWords } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { TrustDialog } from './TrustDialog.tsx';

/** The root clusters that this one trusts. What is written or changed is in the URL: `?new=yes`, `?edit=NAME`. */
export default function TrustedClusters() {
  const page = usePage();
  const { api } = page;
  /** Null until they are here: the one that the address names is one of them. */
  const [roots, setRoots] = useState<readonly TrustedClusterItem[] | null>(null);
  const [saved, setSaved] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<TrustedClusterItem>(
        async () => {
          const found = await api(listTrustedClusters);
          setRoots(found);
          return found;
        },
        { words: one => `${one.name} ${trustedClusterWords(one)}`, sortBy: one => one.name },
      ),
    [api],
  );
  const create = useGate('trust.create');
  const edit = useGate('trust.edit');
  const edited = roots?.find(one => one.name === page.query.edit);
  const isNew = page.query.new !== undefined && create.refused === undefined;
  const isMissing = roots !== null && page.query.edit !== undefined && edited === undefined;
  const close = (): void => page.setQuery({ new: undefined, edit: undefined });
  return (
    <>
      <PagedList<TrustedClusterItem>
        thingOf={trustedClusterThing}
        noun="trustedCluster"
        sort={{ key: 'name', down: false }}
        fetchPage={fetchPage}
        version={saved}
        source={
          isMissing
            ? { status: 'success', error: { message: `There is no trusted cluster ${page.query.edit}` } }
            : undefined
        }
        rowKey={one => one.id}
        actions={<CommandButton id="trust.create" kind="primary" icon={<Plus aria-hidden="true" />} />}
        columns={[
          { key: 'name', title: 'Root', sorts: true, mono: true, width: '30%', phone: 'first', draw: one => one.name },
          { key: 'status', title: 'Status', phone: 'second', draw: trustedClusterWords },
        ]}
        empty={
          <p>
            A root cluster that this one trusts can send its people here, with the roles that you map theirs to. Connect
            the first one.
          </p>
        }
      />
      {(isNew || edited !== undefined) && (
        <TrustDialog
          key={edited?.id ?? ''}
          root={edited ?? null}
          refused={edited === undefined ? undefined : edit.refused}
          onCancel={close}
          onDone={root => {
            close();
            page.notify(`The trusted cluster ${root.name} has been saved`);
            setSaved(times => times + 1);
          }}
        />
      )}
    </>
  );
}

import { Plus } from 'lucide-react';
import { listTrustedClusters, type TrustedClusterItem } from '../../../contract/trusted-clusters.ts';
import { trustedClusterThing, trustedClusterWords } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { useWritten, type Written } from '../use-written.ts';
import { TrustDialog } from './TrustDialog.tsx';

const written: Written<TrustedClusterItem> = {
  one: 'trusted cluster',
  commands: 'trust',
  list: api => api(listTrustedClusters),
  words: root => `${root.name} ${trustedClusterWords(root)}`,
  sortBy: root => root.name,
};

/** The root clusters that this one trusts. What is written or changed is in the URL: `?new=yes`, `?edit=NAME`. */
export default function TrustedClusters() {
  const { listed, editor } = useWritten(written);
  return (
    <>
      <PagedList<TrustedClusterItem>
        thingOf={trustedClusterThing}
        noun="trustedCluster"
        sort={{ key: 'name', down: false }}
        {...listed}
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
      {editor !== null && <TrustDialog key={editor.key} {...editor.props} />}
    </>
  );
}

import { Plus } from 'lucide-react';
import type { ResourceItem } from '../../../contract/roles.ts';
import { getSignInSettings } from '../../../contract/sign-in-settings.ts';
import { connectorThing, displayOf, listConnectors, signInKinds } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useWritten, type Written } from '../use-written.ts';
import { ConnectorDialog } from './ConnectorDialog.tsx';
import { TestDialog } from './TestDialog.tsx';

const kindOf = ({ kind }: ResourceItem): string => signInKinds[kind as 'oidc'];

/** A connector, and where its button is. */
interface Listed extends ResourceItem {
  readonly place: string;
}
const written: Written<Listed, ResourceItem> = {
  one: 'connector',
  commands: 'connectors',
  async list(api) {
    const [found, { first, local }] = await Promise.all([listConnectors(api), api(getSignInSettings)]);
    const isFirst = ({ kind, name }: ResourceItem): boolean => first?.kind === kind && first.name === name;
    return found.map(one => ({ ...one, place: isFirst(one) ? (local ? 'first' : 'first; no passwords') : 'below' }));
  },
  idOf: one => connectorThing(one).id,
  words: one => `${one.name} ${kindOf(one)} ${displayOf(one)}`,
  sortBy: one => one.name,
};

/** How people sign in who have their password elsewhere. What is written or changed is in the URL: `?new=yes`, `?edit=KIND/NAME`, `?test=KIND/NAME`. */
export default function AuthConnectors() {
  const page = usePage();
  const { listed, items, editor } = useWritten(written);
  const tested = items?.find(one => connectorThing(one).id === page.query.test);
  return (
    <>
      <PagedList<Listed>
        thingOf={connectorThing}
        noun="connector"
        sort={{ key: 'name', down: false }}
        {...listed}
        rowKey={one => one.id}
        actions={<CommandButton id="connectors.create" kind="primary" icon={<Plus aria-hidden="true" />} />}
        columns={[
          { key: 'name', title: 'Name', sorts: true, mono: true, width: '24%', phone: 'first', draw: one => one.name },
          { key: 'kind', title: 'Kind', width: '20%', phone: 'second', draw: kindOf },
          { key: 'display', title: 'Button', draw: displayOf },
          { key: 'place', title: 'On the sign-in form', draw: one => one.place },
        ]}
        empty={<p>Connectors let people sign in with the account of their company. Create the first one.</p>}
      />
      {tested !== undefined && (
        <TestDialog key={tested.id} connector={tested} onClose={() => page.setQuery({ test: undefined })} />
      )}
      {editor !== null && <ConnectorDialog key={editor.key} {...editor.props} />}
    </>
  );
}

import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ResourceItem } from '../../../contract/roles.ts';
import { getSignInSettings, type SignInSettings } from '../../../contract/sign-in-settings.ts';
import { connectorThing, displayOf, listConnectors, signInKinds } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { ConnectorDialog } from './ConnectorDialog.tsx';
import { TestDialog } from './TestDialog.tsx';

const kindOf = ({ kind }: ResourceItem): string => signInKinds[kind as 'oidc'];

/** How people sign in who have their password elsewhere. What is written or changed is in the URL: `?new=yes`, `?edit=KIND/NAME`, `?test=KIND/NAME`. */
export default function AuthConnectors() {
  const page = usePage();
  const { api } = page;
  /** Null until they are here: the connector that the address names is one of them. */
  const [connectors, setConnectors] = useState<readonly ResourceItem[] | null>(null);
  const [settings, setSettings] = useState<SignInSettings | null>(null);
  const [saved, setSaved] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<ResourceItem>(
        async () => {
          const [found, known] = await Promise.all([listConnectors(api), api(getSignInSettings)]);
          setConnectors(found);
          setSettings(known);
          return found;
        },
        { words: one => `${one.name} ${kindOf(one)} ${displayOf(one)}`, sortBy: one => one.name },
      ),
    [api],
  );
  const create = useGate('connectors.create');
  const edit = useGate('connectors.edit');
  const edited = connectors?.find(one => connectorThing(one).id === page.query.edit);
  const tested = connectors?.find(one => connectorThing(one).id === page.query.test);
  const isNew = page.query.new !== undefined && create.refused === undefined;
  const isMissing = connectors !== null && page.query.edit !== undefined && edited === undefined;
  const isFirst = ({ kind, name }: ResourceItem): boolean =>
    settings?.first?.kind === kind && settings.first.name === name;
  const close = (): void => page.setQuery({ new: undefined, edit: undefined });
  return (
    <>
      <PagedList<ResourceItem>
        thingOf={connectorThing}
        noun="connector"
        sort={{ key: 'name', down: false }}
        fetchPage={fetchPage}
        version={saved}
        source={
          isMissing ? { status: 'success', error: { message: `There is no connector ${page.query.edit}` } } : undefined
        }
        rowKey={one => one.id}
        actions={<CommandButton id="connectors.create" kind="primary" icon={<Plus aria-hidden="true" />} />}
        columns={[
          { key: 'name', title: 'Name', sorts: true, mono: true, width: '24%', phone: 'first', draw: one => one.name },
          { key: 'kind', title: 'Kind', width: '20%', phone: 'second', draw: kindOf },
          { key: 'display', title: 'Button', draw: displayOf },
          {
            key: 'place',
            title: 'On the sign-in form',
            draw: one => (isFirst(one) ? (settings?.local ? 'first' : 'first; no passwords') : 'below'),
          },
        ]}
        empty={<p>Connectors let people sign in with the account of their company. Create the first one.</p>}
      />
      {tested !== undefined && (
        <TestDialog key={tested.id} connector={tested} onClose={() => page.setQuery({ test: undefined })} />
      )}
      {(isNew || edited !== undefined) && (
        <ConnectorDialog
          key={edited?.id ?? ''}
          connector={edited ?? null}
          refused={edited === undefined ? undefined : edit.refused}
          onCancel={close}
          onDone={connector => {
            close();
            page.notify(`The connector ${connector.name} has been saved`);
            setSaved(times => times + 1);
          }}
        />
      )}
    </>
  );
}

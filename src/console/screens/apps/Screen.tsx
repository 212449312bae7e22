import { useState } from 'react';
import { type Application, listApps } from '../../../contract/resources.ts';
import { applicationAddress } from '../../../features/items.ts';
import { createAwaited } from '../../ui/lazy.tsx';
import type { Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { usePage } from '../page.tsx';
import { ResourceList } from '../ResourceList.tsx';
import { ConnectDialog } from './ConnectDialog.tsx';

const SamlDialog = createAwaited(async () => (await import('./SamlDialog.tsx')).SamlDialog);

const columns: readonly Column<Application>[] = [
  {
    key: 'name',
    title: 'Name',
    sorts: true,
    width: '20%',
    phone: 'first',
    draw: app => app.friendlyName || app.name,
  },
  {
    key: 'description',
    title: 'Description',
    sorts: true,
    width: '24%',
    phone: 'hidden',
    draw: app => app.description,
  },
  {
    key: 'address',
    title: 'Address',
    mono: true,
    width: '24%',
    draw: app =>
      app.offline === undefined ? (
        <Copyable label="the address" text={applicationAddress(app)} />
      ) : (
        <span title={app.offline}>tunnel, offline</span>
      ),
  },
];

/**
 * Web applications that this person's roles select. What is added or changed is in the URL: `?newSaml=yes`, `?saml=NAME`. Whether they may is the
 * gateway's to say, and the dialog's to show.
 */
export default function Apps() {
  const { query, setQuery, notify } = usePage();
  const [saved, setSaved] = useState(0);
  const { newSaml, saml } = query;
  const close = (): void => setQuery({ newSaml: undefined, saml: undefined });
  return (
    <>
      <ResourceList<Application>
        noun="application"
        list={listApps}
        file="app.yaml"
        columns={columns}
        version={saved}
        connect={(app, close) => <ConnectDialog app={app} onClose={close} />}
      />
      {(newSaml !== undefined || saml !== undefined) && (
        <SamlDialog
          key={saml ?? ''}
          name={saml ?? null}
          onClose={close}
          onSaved={name => {
            close();
            notify(`${name} has been saved`);
            setSaved(times => times + 1);
          }}
        />
      )}
    </>
  );
}

import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { listRoles, type ResourceItem } from '../../../contract/roles.ts';
import { descriptionOf, items } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { useGate } from '../../palette/gate.ts';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { pagesOfWhole } from '../whole.ts';
import { RoleDialog } from './RoleDialog.tsx';
import { savedText } from './template.ts';

/** What people may do here. The role that is being written or changed is in the URL: `?new=yes`, `?edit=NAME`, with `&line=12` at one of its lines. */
export default function Roles() {
  const page = usePage();
  const { api } = page;
  /** Null until they are here: the role that the address names is one of them. */
  const [roles, setRoles] = useState<readonly ResourceItem[] | null>(null);
  const [saved, setSaved] = useState(0);
  const fetchPage = useMemo(
    () =>
      pagesOfWhole<ResourceItem>(
        async () => {
          const found = await api(listRoles);
          setRoles(found);
          return found;
        },
        { words: role => `${role.name} ${descriptionOf(role)}`, sortBy: role => role.name },
      ),
    [api],
  );
  const create = useGate('roles.create');
  const edit = useGate('roles.edit');
  const edited = roles?.find(role => role.name === page.query.edit);
  const isNew = page.query.new !== undefined && create.refused === undefined;
  const isMissing = roles !== null && page.query.edit !== undefined && edited === undefined;
  const close = (): void => page.setQuery({ new: undefined, edit: undefined, line: undefined });
  return (
    <>
      <PagedList<ResourceItem>
        thingOf={items.role.thing}
        noun="role"
        sort={{ key: 'name', down: false }}
        fetchPage={fetchPage}
        version={saved}
        source={
          isMissing ? { status: 'success', error: { message: `There is no role ${page.query.edit}` } } : undefined
        }
        rowKey={role => role.id}
        actions={<CommandButton id="roles.create" kind="primary" icon={<Plus aria-hidden="true" />} />}
        columns={[
          {
            key: 'name',
            title: 'Name',
            sorts: true,
            mono: true,
            width: '28%',
            phone: 'first',
            draw: role => role.name,
          },
          { key: 'description', title: 'Description', phone: 'second', draw: descriptionOf },
        ]}
        empty={<p>Roles say who may reach what. Create the first one.</p>}
      />
      {(isNew || edited !== undefined) && (
        <RoleDialog
          key={edited?.name ?? ''}
          role={edited ?? null}
          refused={edited === undefined ? undefined : edit.refused}
          line={/^\d{1,6}$/.test(page.query.line ?? '') ? Number(page.query.line) : undefined}
          onCancel={close}
          onDone={role => {
            close();
            page.notify(savedText(role));
            setSaved(times => times + 1);
          }}
        />
      )}
    </>
  );
}

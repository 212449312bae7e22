import { Plus } from 'lucide-react';
import { listRoles, type ResourceItem } from '../../../contract/roles.ts';
import { descriptionOf, items } from '../../../features/items.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { PagedList } from '../PagedList.tsx';
import { usePage } from '../page.tsx';
import { useWritten, type Written } from '../use-written.ts';
import { RoleDialog } from './RoleDialog.tsx';
import { savedText } from './template.ts';

const written: Written<ResourceItem> = {
  one: 'role',
  commands: 'roles',
  list: api => api(listRoles),
  words: role => `${role.name} ${descriptionOf(role)}`,
  sortBy: role => role.name,
  saved: savedText,
};

/** What people may do here. The role that is being written or changed is in the URL: `?new=yes`, `?edit=NAME`, with `&line=12` at one of its lines. */
export default function Roles() {
  const { query } = usePage();
  const { listed, editor } = useWritten(written);
  return (
    <>
      <PagedList<ResourceItem>
        thingOf={items.role.thing}
        noun="role"
        sort={{ key: 'name', down: false }}
        {...listed}
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
      {editor !== null && (
        <RoleDialog
          key={editor.key}
          {...editor.props}
          line={/^\d{1,6}$/.test(query.line ?? '') ? Number(query.line) : undefined}
        />
      )}
    </>
  );
}

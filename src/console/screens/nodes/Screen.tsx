import { Plus, Terminal } from 'lucide-react';
import { useRef } from 'react';
import { choiceOf, textChoice } from '../../../../commands/answer.ts';
import { NO_LOGIN } from '../../../../commands/gates.ts';
import { listNodes, type Node } from '../../../contract/nodes.ts';
import { nouns } from '../../../features/nouns.ts';
import { loginsInOrder } from '../../../features/thing.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuHandle } from '../../ui/Menu.tsx';
import { RowButton } from '../../ui/RowButton.tsx';
import { useRowAction } from '../../ui/row-action.ts';
import { actionsColumn, type Column } from '../../ui/table-column.ts';
import { Copyable } from '../Copyable.tsx';
import { PagedList } from '../PagedList.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { ConnectMenu } from './ConnectMenu.tsx';

const resources = { kind: 'server', labelsOf: (node: Node) => node.tags } as const;
/** How a server without an address to dial is reached. */
const reachedBy = (node: Node): string | undefined =>
  node.tunnel ? 'tunnel' : node.subKind === 'local' ? 'this machine' : undefined;

const columns: readonly Column<Node>[] = [
  {
    key: 'hostname',
    title: 'Hostname',
    sorts: true,
    mono: true,
    width: '26%',
    phone: 'first',
    draw: node => node.hostname,
  },
  {
    key: 'addr',
    title: 'Address',
    mono: true,
    width: '22%',
    draw: node => reachedBy(node) ?? <Copyable label="the address" text={node.addr} />,
  },
  actionsColumn('112px', node => <Connect node={node} />),
];

/** Servers that this person's roles select, and the way into each. */
export default function Nodes() {
  const { api, clusterId } = usePage();
  return (
    <PagedList<Node>
      title="Servers"
      noun="server"
      resources={resources}
      opens="shell.open"
      bulk={['shell.openMarked', 'servers.removeMarked']}
      sort={{ key: 'hostname', down: false }}
      rowKey={node => node.id}
      thingOf={nouns.server.thing}
      fetchPage={query => api(listNodes, { params: { clusterId }, query })}
      actions={<CommandButton id="servers.add" icon={<Plus aria-hidden="true" />} kind="primary" />}
      columns={columns}
      empty={
        <>
          <p>A server is any machine with OpenSSH. Add the first one with its address.</p>
          <p>
            <LinkTo id="manual" params={{ chapter: 'servers' }} query={{ section: 'add-one' }}>
              How a server is added
            </LinkTo>
          </p>
        </>
      }
    />
  );
}

function Connect({ node }: { readonly node: Node }) {
  const page = usePage();
  if (node.sshLogins.length > 0) return <ConnectButton node={node} />;
  const title = `No login to ${node.hostname}`;
  return (
    <RowButton kind="quiet" action={{ title, refused: NO_LOGIN, run: () => page.notify(NO_LOGIN) }}>
      No login
    </RowButton>
  );
}

function ConnectButton({ node }: { readonly node: Node }) {
  const page = usePage();
  const menu = useRef<MenuHandle>(null);
  const title = `Connect to ${node.hostname}`;
  useRowAction({ title, run: () => menu.current?.toggle() });
  return (
    <Menu
      ref={menu}
      label={title}
      placement="bottom-end"
      width={224}
      kind="dialog"
      trigger={props => (
        <Button size="dense" tabIndex={-1} icon={<Terminal aria-hidden="true" />} aria-label={title} {...props}>
          Connect
        </Button>
      )}
    >
      {close => (
        <ConnectMenu
          logins={loginsInOrder(node.sshLogins)}
          onConnect={login => {
            close();
            page.run('shell.open', { server: choiceOf(nouns.server.thing(node)), login: textChoice(login) });
          }}
        />
      )}
    </Menu>
  );
}

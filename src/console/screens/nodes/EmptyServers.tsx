import { features } from '../../../features/table.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { LinkTo } from '../page.tsx';

/** What the list of servers says when it holds none. */
export function EmptyServers() {
  return (
    <>
      <p>A server is any machine with OpenSSH. Add the first one with its address, or let it join by one line.</p>
      <p>
        <LinkTo id="discover">{features.discover.title}</LinkTo> · <ManualLink id="addServer" />
      </p>
    </>
  );
}

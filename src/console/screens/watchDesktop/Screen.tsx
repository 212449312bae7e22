import { useMemo } from 'react';
import { socketAddress } from '../../../client/refusal.ts';
import { desktopWatchPath } from '../../../contract/desktop-sessions.ts';
import { Watch } from '../../desktop/index.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';

/** A running session on a desktop, as somebody watches it. */
export default function WatchDesktopPage() {
  const { clusterId, params, sockets, go } = usePage();
  const { sid = '' } = params;
  const ports = useMemo(() => {
    if (sockets === null) return null;
    const { token, explainRefusal } = browserPorts(clusterId, sockets.token);
    return {
      address: async () =>
        socketAddress(desktopWatchPath.replace(':sid', encodeURIComponent(sid)), clusterId, {}, await token()),
      explain: async (address: string) => (await explainRefusal(address)).text,
      leave: () => go('activeSessions', { clusterId }),
    };
  }, [clusterId, sid, sockets, go]);
  return ports === null ? <Spinner /> : <Watch key={sid} ports={ports} />;
}

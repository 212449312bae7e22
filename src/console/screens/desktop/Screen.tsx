import { useEffect, useMemo, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { isDesktopActive } from '../../../contract/resources.ts';
import { Desktop, type DesktopPorts } from '../../desktop/index.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { Alert } from '../../ui/Alert.tsx';
import { showWatchers } from '../../ui/desktop-company.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';

/** One desktop, as one login. */
export default function DesktopPage() {
  const { api, who, clusterId, params, sockets, notify, go } = usePage();
  const { desktopName: name = '', username: login = '' } = params;
  const [found, setFound] = useState<{ readonly isTaken: boolean } | { readonly problem: string } | null>(null);
  useEffect(() => {
    let isGone = false;
    setFound(null);
    api(isDesktopActive, { params: { clusterId, name } }).then(
      ({ active }) => !isGone && setFound({ isTaken: active }),
      (error: unknown) => !isGone && setFound({ problem: toApiError(error).message }),
    );
    return () => {
      isGone = true;
    };
  }, [api, clusterId, name]);
  const ports = useMemo<DesktopPorts | null>(() => {
    if (sockets === null) return null;
    return {
      connection: {
        ...browserPorts(clusterId, sockets.token),
        connect: address =>
          new WebSocket(location.origin.replace(/^http/, 'ws') + address) as unknown as ReturnType<
            DesktopPorts['connection']['connect']
          >,
        watched: showWatchers,
        prove: (challenge, onGone) => sockets.prove(`${login}@${name}`, challenge, onGone, false),
      },
      notify,
      leave: () => go('desktops', { clusterId }),
    };
  }, [clusterId, sockets, login, name, notify, go]);
  if (found === null || ports === null) return <Spinner />;
  if ('problem' in found) return <Alert>{found.problem}</Alert>;
  const sharesDirectories = who?.userAcl.directorySharing ?? false;
  return (
    <Desktop
      key={`${login}@${name}`}
      {...{ clusterId, name, login, sharesDirectories, ports }}
      isTaken={found.isTaken}
    />
  );
}

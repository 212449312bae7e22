import { useMemo } from 'react';
import { OpenDesktop, type OpenDesktopPorts } from '../../desktop/index.ts';
import { createFullScreen } from '../../terminal/full-screen.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { usePage } from '../page.tsx';

const nothing = (): void => undefined;

/** One desktop, as one login, on a page of its own. */
export default function DesktopPage() {
  const { api, clusterId, params, sockets, notify, go } = usePage();
  const { desktopName: name = '', username: login = '' } = params;
  const ports = useMemo<OpenDesktopPorts | null>(() => {
    if (sockets === null) return null;
    const toggleFullScreen = createFullScreen(document, notify, nothing, nothing);
    return {
      ...sockets,
      call: api,
      notify,
      leave: () => go('desktops', { clusterId }),
      fullScreen: () => void toggleFullScreen(),
      stands: nothing,
      takesKeys: () => true,
    };
  }, [clusterId, sockets, api, notify, go]);
  if (ports === null) return <Spinner />;
  return <OpenDesktop place="page" isFront {...{ clusterId, name, login, ports }} />;
}

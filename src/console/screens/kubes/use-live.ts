import { useEffect, useRef } from 'react';
import type { PodsParams } from '../../../contract/pods.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { usePage } from '../page.tsx';
import { type LiveEvents, openLive } from './live.ts';

/** Hears of the cluster of the page while it is shown; other parameters are another conversation. */
export function useLive(params: PodsParams, on: LiveEvents): void {
  const { clusterId, params: at, sockets } = usePage();
  const { name = '' } = at;
  const latest = useRef(on);
  latest.current = on;
  const asked = JSON.stringify(params);
  useEffect(() => {
    if (sockets === null) return undefined;
    return openLive({ clusterId, name }, JSON.parse(asked), browserPorts(clusterId, sockets.token), {
      hear: message => latest.current.hear(message),
      lost: () => latest.current.lost(),
      over: why => latest.current.over(why),
    });
  }, [clusterId, name, sockets, asked]);
}

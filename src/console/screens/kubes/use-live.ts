import { useEffect, useRef } from 'react';
import type { PodsParams } from '../../../contract/pods.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { usePage } from '../page.tsx';
import { type LiveEvents, openLive } from './live.ts';

/** Hears of the cluster of the page while it is shown; other parameters are another conversation, null none. */
export function useLive(params: PodsParams | null, on: LiveEvents): void {
  const { clusterId, params: at, sockets } = usePage();
  const { name = '' } = at;
  const latest = useRef(on);
  latest.current = on;
  const asked = JSON.stringify(params);
  useEffect(() => {
    const wanted = JSON.parse(asked) as PodsParams | null;
    if (sockets === null || wanted === null) return undefined;
    const ports = {
      ...browserPorts(clusterId, sockets.token),
      prove: (challenge: string, onGone: (run: () => void) => void) =>
        sockets.prove(`pods of ${name}`, challenge, onGone, false),
    };
    return openLive({ clusterId, name }, wanted, ports, {
      hear: message => latest.current.hear(message),
      lost: () => latest.current.lost(),
      over: why => latest.current.over(why),
    });
  }, [clusterId, name, sockets, asked]);
}

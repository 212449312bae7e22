// The one assistant of a page load: its page and its panel show the same conversation.
import type { AssistantPorts } from '../../../client/assistant.ts';
import type { MakeCall } from '../../../contract/call.ts';
import { browserPorts } from '../../terminal/browser-ports.ts';
import { usePage } from '../page.tsx';
import { type Assist, createAssist } from './store.ts';

const made = new WeakMap<MakeCall, Assist>();

/** The socket's ports in a browser; its frames are text. */
export const assistantPorts = (clusterId: string, token: () => string | Promise<string>): AssistantPorts =>
  browserPorts(clusterId, token) as unknown as AssistantPorts;

export function useAssist(): Assist {
  const { api, config, sockets } = usePage();
  const known = made.get(api);
  if (known) return known;
  const clusterId = config.proxyCluster;
  const ports = assistantPorts(clusterId, sockets?.token ?? (() => ''));
  const assist = createAssist({ api, clusterId, ports, now: () => performance.now() });
  made.set(api, assist);
  return assist;
}

// What commands may look at on the command line: who is signed in, and the gateway's boot configuration.

import * as z from 'zod/mini';
import type { Facts } from '../../../commands/command.ts';
import { aclFlags, aclKeys } from '../../contract/acl.ts';
import { CONFIG_VARIABLE, webConfig } from '../../contract/config.ts';
import { ApiError } from '../../contract/failure.ts';
import { readJson } from '../../contract/json.ts';
import { getUserContext, userContext } from '../../contract/session.ts';
import { pageText, send } from './http.ts';
import type { Session } from './signed.ts';

const CONFIG_PATH = '/web/config.js';

/** A person who may do everything, where everything is switched on: what is not for them is for nobody on the command line. */
export const everybody: Facts = {
  who: z.parse(userContext, {
    authType: 'local',
    userName: '',
    userAcl: Object.fromEntries(
      aclKeys.map(key => [key, Object.fromEntries(Object.keys(aclFlags).map(flag => [flag, true]))]),
    ),
    cluster: {
      name: '',
      lastConnected: '',
      status: 'online',
      nodeCount: 0,
      publicURL: '',
      authVersion: '',
      proxyVersion: '',
    },
  }),
  config: { ...z.parse(webConfig, {}), canJoinSessions: true },
  clusterId: '',
  feature: null,
  focus: 'page',
  terminal: null,
  company: null,
  terminalCount: 0,
  terminalTabs: [],
  liveTerminals: 0,
  paneOpen: false,
  selection: [],
  theme: 'dark',
  surface: 'shell',
};

/** Asks the gateway. Throws ApiError, and Refused when the session is over. */
export async function factsOf({ url, call }: Session): Promise<Facts> {
  const [config, who] = await Promise.all([
    readConfig(url),
    call(getUserContext, { params: { clusterId: '-current-' } }),
  ]);
  return { ...everybody, who, config, clusterId: config.proxyCluster };
}

/** The gateway's boot configuration. Throws ApiError. */
export async function readConfig(url: string): Promise<Facts['config']> {
  const answer = await send(url, CONFIG_PATH, { method: 'GET', headers: {} });
  const script = (await pageText(url, CONFIG_PATH, answer)).trim();
  const prefix = `var ${CONFIG_VARIABLE} = `;
  if (script.startsWith(prefix) && script.endsWith(';')) {
    const parsed = z.safeParse(webConfig, readJson(script.slice(prefix.length, -1)));
    if (parsed.success) return parsed.data;
  }
  throw new ApiError('unknown', `${url}${CONFIG_PATH} is not a gateway's configuration`);
}

// A palette on a console without a screen, and the gateway it asks: five servers, one session, one recording, two people.
import type { Facts } from '../../../commands/command.ts';
import { loadFind } from '../../../commands/load-find.ts';
import { factsWith, type Made, recorder } from '../../../commands/tools.testing.ts';
import { searchSessionEvents } from '../../contract/audit.ts';
import { listClusters } from '../../contract/clusters.ts';
import { listSessions } from '../../contract/live-sessions.ts';
import { listNodes } from '../../contract/nodes.ts';
import { listApps, listDatabases, listDesktops, listKubes } from '../../contract/resources.ts';
import { listRoles } from '../../contract/roles.ts';
import { listUsers } from '../../contract/users.ts';
import { createCommanding } from './commanding.ts';
import { createPalette } from './store.ts';

// The searches are here before anyone looks for something, as they are in a console whose palette is open.
await loadFind();

export const hosts = ['db-1', 'db-3', 'db-30', 'web-1', 'web-2'];
export const nodeOf = (hostname: string, logins: readonly string[] = ['ada', 'root']) => ({
  kind: 'node',
  id: `id-${hostname}`,
  siteId: 'main',
  subKind: 'openssh',
  hostname,
  addr: `${hostname}:22`,
  tunnel: false,
  tags: [{ name: 'env', value: 'prod' }],
  sshLogins: logins,
});

/** A gateway with five servers, one session, one recording, two people. `fails` refuses calls to a path. */
export function gateway({ call, query }: Made, nodes = hosts.map(host => nodeOf(host)), most = 500): unknown {
  if (call === listNodes) {
    const { search = '', limit = most } = (query ?? {}) as { search?: string; limit?: number };
    const found = nodes.filter(node => JSON.stringify(node).toLowerCase().includes(search.toLowerCase()));
    return {
      items: found.slice(0, Math.min(limit, most)),
      startKey: found.length > Math.min(limit, most) ? 'more' : '',
      totalCount: found.length,
    };
  }
  if (call === listSessions) {
    return {
      sessions: [
        {
          id: 'sid-1',
          login: 'root',
          server_hostname: 'web-1',
          kubernetes_cluster_name: '',
          desktop_name: '',
          parties: [{ user: 'bob' }],
          participantModes: ['observer', 'peer'],
        },
      ],
    };
  }
  if (call === searchSessionEvents) {
    const event = {
      event: 'session.end',
      code: 'T2004I',
      time: '2026-11-01T10:00:00Z',
      uid: 'u',
      sid: 'rec-1',
      server_hostname: 'web-2',
      participants: ['bob'],
      session_start: '2026-11-01T09:59:00Z',
      session_stop: '2026-11-01T10:00:00Z',
      interactive: true,
    };
    const { search = '' } = (query ?? {}) as { search?: string };
    return { events: [event].filter(one => JSON.stringify(one).includes(search)), startKey: '' };
  }
  if (call === listUsers)
    return [
      { name: 'bob', roles: ['access'] },
      { name: 'eve', roles: ['auditor'] },
    ];
  if (call === listRoles) return [{ id: 'role:access', kind: 'role', name: 'access', content: '' }];
  if (call === listClusters) return [];
  if ([listApps, listDatabases, listDesktops, listKubes].some(list => list === call))
    return { items: [], startKey: '' };
  throw new Error(`The test's gateway does not answer ${call.path}`);
}

let waiting: { readonly action: () => void; readonly ms: number }[] = [];

/** Forgets what waits to be done later. */
export function forgetWaiting(): void {
  waiting = [];
}

/** Does at once what waits to be done later. */
export function endPauses(): void {
  for (const { action } of waiting.splice(0)) action();
}

export function paletteWith({
  reply = gateway,
  facts = factsWith(),
  recent = [],
}: {
  reply?: (made: Made) => unknown;
  facts?: Facts;
  recent?: string[];
} = {}) {
  const { tools, done, made } = recorder(reply);
  let kept: readonly string[] = recent;
  let own: Readonly<Record<string, string>> = {};
  let taught: readonly string[] = [];
  const commanding = createCommanding({
    facts: () => facts,
    tools: () => ({ ...tools, openPalette: typed => commanding.openPalette(typed) }),
    recents: { read: () => kept, write: list => (kept = list) },
    mac: false,
    later: (action, ms) => {
      const entry = { action, ms };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter(other => other !== entry);
      };
    },
    typeAhead: keys => done.push(`typed ahead ${keys.map(({ key }) => key).join('')}`),
    ownKeys: { read: () => own, write: next => (own = next) },
    taught: { read: () => taught, write: list => (taught = list) },
    onFacts: () => () => {},
  });
  const palette = createPalette(commanding, () => 1_000_000);
  const open = (typed?: string): void => {
    commanding.openPalette(typed);
    if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
  };
  const titles = (): string[] => palette.state.rows.map(row => row.title);
  return { palette, commanding, open, titles, done, made, recent: () => kept };
}

/** Lets what waits for a slow gateway happen as well. */
export async function outwait(): Promise<void> {
  const due = waiting;
  waiting = [];
  for (const { action } of due) action();
  await settle();
}

/** Lets everything that is due happen: pauses end, calls are answered. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    const due = waiting.filter(({ ms }) => ms < 400);
    waiting = waiting.filter(({ ms }) => ms >= 400);
    for (const { action } of due) action();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
}

// A palette on a console without a screen, and the gateway it asks: five servers, one session, one recording, two people.
import { vi } from 'vitest';
import type { Facts, Registry } from '../../../commands/command.ts';
import { registry } from '../../../commands/index.ts';
import { factsWith, type Made, recorder } from '../../../commands/tools.testing.ts';
import { listNodes } from '../../contract/nodes.ts';
import { search } from '../../contract/search.ts';
import { createEarlyKeys } from '../ui/early-keys.ts';
import { createCommanding } from './commanding.ts';
import { createPalette } from './store.ts';

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

const session = {
  id: 'sid-1',
  login: 'root',
  server_hostname: 'web-1',
  kubernetes_cluster_name: '',
  desktop_name: '',
  parties: [{ user: 'bob' }],
  participantModes: ['observer', 'peer'],
};
const recording = {
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
const users = [
  { name: 'bob', roles: ['access'] },
  { name: 'eve', roles: ['auditor'] },
];

/** A gateway with five servers, one session, one recording, two people. `most`: items it answers at once. */
export function gateway({ call, query }: Made, nodes = hosts.map(host => nodeOf(host)), most = 500): unknown {
  const { search: typed = '', limit = most, nouns = '' } = (query ?? {}) as Record<string, never>;
  const holding = (items: readonly object[]) => {
    const found = items.filter(item => JSON.stringify(item).toLowerCase().includes(String(typed).toLowerCase()));
    const room = Math.min(Number(limit), most);
    return { items: found.slice(0, room), complete: found.length <= room };
  };
  if (call === listNodes) {
    const { items, complete } = holding(nodes);
    return { items, startKey: complete ? '' : 'more', totalCount: 0 };
  }
  if (call !== search) throw new Error(`The test's gateway does not answer ${call.path}`);
  const all: Readonly<Record<string, readonly object[]>> = {
    server: nodes,
    session: [session],
    recording: [recording],
    user: users,
    role: [{ id: 'role:access', kind: 'role', name: 'access' }],
  };
  return Object.fromEntries(
    String(nouns)
      .split(',')
      .map(noun => [noun, holding(all[noun] ?? [])]),
  );
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
  arrives,
  now = () => 1_000_000,
  first = registry,
}: {
  reply?: (made: Made) => unknown;
  facts?: Facts;
  /** What the console begins with. */
  first?: Registry;
  recent?: string[];
  /** What was used is not known before `arrive` is called. */
  arrives?: string[];
  now?: () => number;
} = {}) {
  const { tools, done, made } = recorder(reply);
  const keys = createEarlyKeys({
    press: key => press(key.key),
    soon: go => waiting.push({ action: go, ms: 0 }),
    later: () => () => {},
  });
  let kept: readonly string[] = recent;
  let arrive: () => void = () => {};
  let arrival =
    arrives &&
    new Promise<void>(done => {
      arrive = () => {
        kept = arrives;
        arrival = undefined;
        done();
      };
    });
  let own: Readonly<Record<string, string>> = {};
  let taught: readonly string[] = [];
  const commanding = createCommanding({
    first,
    loadAll: async () => registry,
    wrongKeys: () => {},
    facts: () => facts,
    tools: () => ({ ...tools, openPalette: typed => commanding.openPalette(typed) }),
    recents: { read: () => kept, write: list => (kept = list), arrival: () => arrival },
    mac: false,
    later: (action, ms) => {
      const entry = { action, ms };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter(other => other !== entry);
      };
    },
    keys,
    ownKeys: { read: () => own, write: next => (own = next) },
    taught: { read: () => taught, write: list => (taught = list) },
    onFacts: () => () => {},
  });
  const palette = createPalette(commanding, now);
  const open = (typed?: string): void => {
    commanding.openPalette(typed);
    if (commanding.surface.palette !== null) palette.open(commanding.surface.palette);
    commanding.shown();
  };
  /** Presses a key as the field would hear it; without the palette it is the page's. */
  function press(key: string): void {
    const { state } = palette;
    if (!state.open) done.push(`pressed ${key}`);
    else if (key === 'Enter') palette.choose();
    else if (key === 'Tab') palette.complete();
    else if (key === 'Backspace') palette.type([...state.typed].slice(0, -1).join(''));
    else palette.type(state.typed + key);
  }
  /** A person presses keys, which wait where something is on its way. */
  const pressed = (...names: readonly string[]): void => {
    for (const key of names) {
      const event = {
        key,
        code: '',
        ctrlKey: false,
        altKey: false,
        shiftKey: false,
        metaKey: false,
        repeat: false,
        isComposing: false,
      };
      if (!keys.hear(event)) press(key);
    }
  };
  const titles = (): string[] => palette.state.rows.map(row => row.title);
  return { palette, commanding, open, titles, done, made, pressed, arrive: () => arrive(), recent: () => kept };
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
    await vi.dynamicImportSettled();
  }
}

// Text that a terminal would obey, written into the store past every check, through every verb: nothing of it reaches a terminal as it is.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandLineRig, openCommandLine } from '../../e2e/rigs/command-line.ts';
import { OBEYED } from '../contract/visible-text.ts';
import { openStore } from '../gateway/store/open.ts';
import type { ResourceKind, Store } from '../gateway/store/store.ts';
import { type Gateway, openGateway } from './machine/gateway.ts';
import { machineRows } from './machine/verbs.ts';
import { complain, plainLines, print } from './output.ts';
import { personVerbs } from './person/verbs.ts';
import { readLine, typedOf } from './read.ts';
import { runLine } from './run-line.ts';
import type { Surface, Usage } from './verb.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Clipboard, colours in C1, a line of its own, and letters turned round or not shown. */
const hostile = (name: string): string =>
  `${name}\u001b]52;c;aGk=\u0007\u009b31m\u0085\nFORGED\u202etxt.\u{e0041}\r\u2028`;
const kinds: readonly ResourceKind[] = [
  'node',
  'app',
  'db',
  'windows_desktop',
  'kube_cluster',
  'user_group',
  'cluster_alert',
  'role',
];

/** Fills a store as no door would. */
async function poison({ resources, users, events }: Store): Promise<void> {
  for (const kind of kinds)
    await resources.create({
      kind,
      name: kind === 'node' ? randomUUID() : hostile(kind),
      title: hostile(kind),
      description: hostile('says'),
      address: hostile('host'),
      subtype: kind === 'node' ? 'openssh' : hostile('sub'),
      labels: { [hostile('key')]: hostile('value') },
      words: [],
      spec: {
        hostKeys: [],
        content: `kind: role\nversion: v7\nmetadata: {name: r, description: ${JSON.stringify(hostile('role'))}}\nspec: {}\n`,
        message: hostile('alert'),
        severity: 5,
        protocol: hostile('protocol'),
        uri: hostile('uri'),
      },
      expires: null,
    });
  await users.create({
    id: randomUUID(),
    name: hostile('user'),
    roles: [hostile('role')],
    traits: { logins: [hostile('login')] },
    authType: 'local',
    isBot: false,
    created: new Date(),
  });
  for (const [type, code] of [
    ['session.end', 'T2004I'],
    ['user.create', 'T1002I'],
  ] as const) {
    const sid = randomUUID();
    const raw = { uid: randomUUID(), event: type, code, time: new Date().toISOString(), sid };
    await events.append({
      ...raw,
      type,
      user: hostile('user'),
      time: new Date(),
      raw: {
        ...raw,
        user: hostile('user'),
        name: hostile('name'),
        server_hostname: hostile('host'),
        server_id: hostile('id'),
        login: hostile('login'),
      },
    });
  }
}

const written: string[] = [];
/** The process's own terminal: what is printed and complained of goes through what the command line prints by. */
const surface: Surface = {
  print,
  ask: async question => {
    written.push(plainLines(question));
    return true;
  },
};
const keep = (chunk: string | Uint8Array): boolean => {
  written.push(String(chunk));
  return true;
};

/** What follows a verb: a thing that is there, by a name as hostile as what it is called. */
const wordFor = (word: string): string => {
  const bare = word.replace(/[[\]…]/g, '').toLowerCase();
  if (bare.includes('server')) return `root@${hostile('node')}`;
  return hostile(bare);
};
const wordsOf = (usage: Usage): string[] => [
  ...usage.verb.split(' '),
  ...usage.words.filter(word => !/SEARCH|LABELS|\[COMMAND/.test(word)).map(wordFor),
  ...usage.flags.filter(({ needed }) => needed).flatMap(({ name }) => [name, hostile('flag')]),
];
/** Runs something and answers all that reached the terminal. */
async function terminalOf(run: () => Promise<unknown>): Promise<string> {
  const spies = [process.stdout, process.stderr].map(stream => vi.spyOn(stream, 'write').mockImplementation(keep));
  try {
    await run();
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return written.splice(0).join('');
}
const expectHarmless = (text: string): void => {
  expect([...text.replaceAll(/[\n\t]/g, '').matchAll(OBEYED)].map(([found]) => found)).toEqual([]);
  expect(text.split('\n').filter(line => line.startsWith('FORGED'))).toEqual([]);
  expect(text.trim()).not.toBe('');
};

let rig: CommandLineRig;
let folder: string;
let gateway: Gateway;
beforeAll(async () => {
  rig = await openCommandLine();
  await rig.gateway.addUser('ada', ['access', 'editor', 'auditor'], ['root']);
  await poison(rig.gateway.store);
  await rig.signIn('ada');
  folder = await mkdtemp(join(tmpdir(), 'postern-hostile-'));
  await (await openGateway(['--data', folder])).close();
  const store = await openStore({ kind: 'sqlite', folder });
  await poison(store);
  await store.close();
  gateway = await openGateway(['--data', folder]);
});
afterAll(async () => {
  await gateway.close();
  await rig.dispose();
  await rm(folder, { recursive: true, force: true });
});

const persons = personVerbs.filter(({ verb }) => !['sign-in', 'sign-out'].includes(verb));
test.each(persons.map(verb => [verb.verb, verb] as const))('%s, as a signed-in person', async (name, verb) => {
  for (const output of verb.flags.some(flag => flag.name === '--output') ? ['table', 'json'] : [])
    expectHarmless(
      await terminalOf(() => runLine([...wordsOf(verb), '--output', output, '--session-file', rig.file], surface)),
    );
  expectHarmless(await terminalOf(() => runLine([...name.split(' '), '--help', '--session-file', rig.file], surface)));
});

test.each(machineRows.map(row => [row.verb, row] as const))('%s, on the machine of the gateway', async (_name, row) => {
  const line = readLine([...wordsOf(row)], machineRows);
  expectHarmless(await terminalOf(() => row.run(typedOf(row, line), gateway, surface)));
});

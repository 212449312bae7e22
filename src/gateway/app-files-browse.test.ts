// Looking through the files of servers over HTTP, with names and folders of every kind, and copies from one server to another.
import { randomBytes } from 'node:crypto';
import { linkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { encodedText } from '../contract/call.ts';
import type { FileEntry } from '../contract/files.ts';
import { type Answer, type Browser, CLUSTER, openRig, type Rig } from './app.testing.ts';

const login = userInfo().username;
let rig: Rig;
let ann: Browser;
let here: string;
let beyond: string;
let folder: string;
let port: number;

beforeAll(async () => {
  rig = await openRig();
  here = await rig.addServer('db-3');
  beyond = await rig.addServer('web-1', { env: 'prod' });
  await rig.addUser('ann', ['access'], [login]);
  ann = await rig.signIn('ann');
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-browse-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const filesOf = (server = here, as = login): string => `/v1/webapi/sites/${CLUSTER}/nodes/${server}/${as}/files`;
const at = (location: string, more = ''): string => `${filesOf()}?location=${encodedText(location)}${more}`;
const told = ({ status, json }: Answer): string =>
  `${status} ${(json as { error?: { message: string } } | null)?.error?.message ?? 'ok'}`;
interface Listed {
  readonly path: string;
  readonly entries: readonly FileEntry[];
  readonly whole: boolean;
}
const list = async (location: string, more = ''): Promise<Listed> =>
  (await ann.call('GET', at(location, more))).json as Listed;
/** Codes of what the log has about paths in the folder, oldest first. */
async function codes(): Promise<readonly string[]> {
  const { events } = await rig.services.auditAccess.events(
    { rights: { may: () => true, participants: () => null } } as never,
    { from: new Date(0), to: new Date(Date.now() + 60_000), limit: 100, types: [], descending: false },
  );
  const about = events as readonly { readonly code: string; readonly path?: string }[];
  return about.filter(({ path }) => path?.startsWith(folder)).map(({ code }) => code);
}
interface Line {
  readonly copied?: number;
  readonly size?: number;
  readonly done?: boolean;
  readonly failed?: object;
  readonly error?: { readonly message: string };
}
/** The lines that answer a copy. */
async function copy(
  location: string,
  to: { nodeId: string; login: string; location: string },
): Promise<readonly Line[]> {
  const answer = await fetch(`http://127.0.0.1:${port}${filesOf()}/copy`, {
    method: 'POST',
    headers: {
      cookie: `__Host-session=${ann.cookie}`,
      authorization: `Bearer ${ann.bearer}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ location, to }),
  });
  return (await answer.text())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line);
}

test('a folder of 20 000 entries says that it is cut, and what lies beyond is found by its name', async () => {
  await writeFile(`${folder}/f0`, '');
  for (let index = 1; index < 20_000; index++) linkSync(`${folder}/f0`, `${folder}/f${index}`);
  const { entries, whole } = await list(folder);
  expect([entries.length, whole]).toEqual([10_000, false]);
  const found = await list(folder, '&search=F1999');
  expect([found.entries.map(({ name }) => name).sort(), found.whole]).toEqual([
    ['f1999', ...Array.from({ length: 10 }, (_, digit) => `f1999${digit}`)],
    true,
  ]);
  const refused = await ann.call('DELETE', at(folder, '&all=true'));
  expect(told(refused)).toBe(`413 ${folder} has more than 10000 things in it: remove them in parts.`);
  expect((await readdir(folder)).length).toBe(20_000);
});

test('names of any bytes are made, listed, moved and removed as they are', async () => {
  for (const name of ['a\nb', '\u202egnp.exe', 'x\udcffy', 'ünï']) {
    expect(told(await ann.call('POST', filesOf(), { location: `${folder}/${name}` }))).toBe('200 ok');
    expect((await list(folder)).entries.map(entry => entry.name)).toEqual([name]);
    const to = { location: `${folder}/${name}`, to: `${folder}/${name}2` };
    expect(told(await ann.call('PUT', filesOf(), to))).toBe('200 ok');
    expect((await list(`${folder}/${name}2`)).path).toBe(`${folder}/${name}2`);
    expect(told(await ann.call('DELETE', at(`${folder}/${name}2`)))).toBe('200 ok');
  }
  expect(await readdir(folder)).toEqual([]);
});

test('what is no folder, a ring of links, NUL, too long, and dots have a clear answer each', async () => {
  await writeFile(`${folder}/f`, 'x');
  await symlink('ring', `${folder}/ring`);
  await symlink('nothing', `${folder}/dead`);
  await symlink('/', `${folder}/out`);
  const get = async (location: string): Promise<string> => told(await ann.call('GET', at(location)));
  expect(await get(`${folder}/f`)).toBe(
    `400 ${folder}/f on db-3 is not a folder, or lies below something that is none.`,
  );
  expect(await get(`${folder}/ring`)).toMatch(/^400 .*ring/);
  expect(await get(`${folder}/dead`)).toMatch(/^4/);
  expect(await get(`${folder}/a\0b`)).toBe('400 location: a path holds no NUL byte');
  expect(await get(`${folder}/${'x'.repeat(300)}`)).toBe('400 The name is longer than db-3 allows.');
  // Where a link or dots lead is the host's to say: the login reaches what it reaches there.
  expect((await list(`${folder}/out`)).path).toBe('/');
  expect((await list(`${folder}/../..`)).path).toBe('/');
  for (const location of [`${folder}/..`, '/', '.', '~'])
    expect(told(await ann.call('DELETE', at(location, '&all=true')))).toMatch(/^400 filename/);
});

test('a folder is removed with all that is in it, each with its event; links go, and what they lead to stays', async () => {
  await mkdir(`${folder}/d/e`, { recursive: true });
  await writeFile(`${folder}/d/e/f`, 'x');
  await writeFile(`${folder}/kept`, 'x');
  await symlink(folder, `${folder}/d/up`);
  expect(told(await ann.call('DELETE', at(`${folder}/d`)))).toMatch(/^400 .*not empty/);
  expect(told(await ann.call('DELETE', at(`${folder}/d`, '&all=true')))).toBe('200 ok');
  expect(await readdir(folder)).toEqual(['kept']);
  expect([...(await codes())].sort()).toEqual(['TS011I', 'TS011I', 'TS013E', 'TS013I', 'TS013I']);
});

test('nothing moves into itself, or onto what is there', async () => {
  await mkdir(`${folder}/d`);
  await writeFile(`${folder}/f`, 'x');
  const move = async (from: string, to: string): Promise<string> =>
    told(await ann.call('PUT', filesOf(), { location: `${folder}/${from}`, to: `${folder}/${to}` }));
  expect(await move('d', 'd/e')).toBe('400 d cannot be moved into itself.');
  expect(await move('f', 'd')).toMatch(/^409/);
});

test('a file is copied from server to server with its permissions, and both ends are in the log', async () => {
  const bytes = randomBytes(3_000_000);
  await writeFile(`${folder}/run`, bytes, { mode: 0o750 });
  const lines = await copy(`${folder}/run`, { nodeId: beyond, login, location: `${folder}/run2` });
  expect(lines[0]).toEqual({ copied: 0, size: bytes.length });
  expect(lines.at(-1)).toEqual({ copied: bytes.length, size: bytes.length, done: true });
  expect((await readFile(`${folder}/run2`)).equals(bytes)).toBe(true);
  expect((await stat(`${folder}/run2`)).mode & 0o777).toBe(0o750);
  expect((await codes()).filter(code => code.startsWith('T300')).sort()).toEqual(['T3004I', 'T3005I']);
});

test('a copy that cannot be says which end refused it, and leaves nothing', async () => {
  await writeFile(`${folder}/f`, 'x');
  const to = { nodeId: beyond, login, location: `${folder}/none/f` };
  expect((await copy(`${folder}/missing`, to))[0]?.error?.message).toBe(`There is no ${folder}/missing on db-3.`);
  expect((await copy(`${folder}/f`, to)).at(-1)?.failed).toMatchObject({ code: 'not_found' });
  const foreign = await copy(`${folder}/f`, { ...to, login: 'somebody-else' });
  expect(foreign.at(-1)?.failed).toMatchObject({
    code: 'denied',
    message: 'You may not log in to web-1 as somebody-else.',
  });
  expect((await copy(`${folder}/f`, { ...to, nodeId: 'no-such-server' }))[0]).toHaveProperty('error');
  expect(await readdir(folder)).toEqual(['f']);
});

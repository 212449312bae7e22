// The files of real hosts: a real sshd, and this machine's own program for files, through the same client.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSshd, type SshdRig } from '../../../../../e2e/rigs/sshd.ts';
import type { FilesConnector, HostFiles } from '../../../ports/files.ts';
import type { Target } from '../../../ports/servers.ts';
import { createDirectReach } from '../../reach/direct.ts';
import { accountsFor } from '../local/account.ts';
import { createLocalConnector } from '../local/connector.ts';
import { createAuthority } from '../ssh/authority.ts';
import { createSshConnector } from '../ssh/connector.ts';
import { bytesOfName, textOfName } from './names.ts';

const own = userInfo();
const authority = createAuthority(generateKeyPairSync('ed25519').privateKey, 'test');
const ssh = createSshConnector({ reach: createDirectReach(), authority, audit: { emit: async () => {} } });
const local = createLocalConnector();
const request = { user: 'alice', sid: 'f1', login: own.username, ttlMs: 60_000 };
let sshd: SshdRig;
let folder: string;
let host: HostFiles;

beforeAll(async () => {
  sshd = await openSshd({ trustedUserCa: authority.trustedUserCaLine() });
});
afterAll(() => sshd.dispose());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-files-'));
});
afterEach(async () => {
  host.close();
  await rm(folder, { recursive: true, force: true });
});

const target = (subKind: string): Target => ({
  id: 'b7',
  hostname: 'db-3',
  subKind,
  addr: `127.0.0.1:${sshd.port}`,
  hostKeys: [sshd.hostKey],
  labels: {},
});
async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces);
}
/** Small disks of memory are mounted where this account may. */
const mayMount = await (async () => {
  const tried = await mkdtemp(join(tmpdir(), 'postern-mount-'));
  const may = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tried]).status === 0;
  if (may) execFileSync('umount', [tried]);
  await rm(tried, { recursive: true });
  return may;
})();
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const ways: readonly (readonly [string, FilesConnector])[] = [
  ['openssh', ssh],
  ['local', local],
];
describe.each(ways)('over %s', (kind, connector) => {
  beforeEach(async () => {
    host = await connector.files(target(kind), request);
  });

  test('bytes come back as they were written, from any place', async () => {
    const path = `${folder}/data`;
    const bytes = randomBytes(5_000_001);
    const writer = await host.write(path, { as: 'new', mode: 0o644, at: 0 });
    for (let at = 0; at < bytes.length; at += 77_777) await writer.write(bytes.subarray(at, at + 77_777));
    await writer.end();
    expect(digest(await readFile(path))).toBe(digest(bytes));
    expect(digest(await collect(host.read(path, 0, bytes.length)))).toBe(digest(bytes));
    expect(digest(await collect(host.read(path, 4_000_000, bytes.length)))).toBe(digest(bytes.subarray(4_000_000)));
    expect(await host.facts(path)).toMatchObject({ kind: 'file', size: bytes.length, mode: 0o644, uid: own.uid });
    // A file that has become shorter than was said ends where it ends.
    expect((await collect(host.read(path, 5_000_000, 6_000_000))).length).toBe(1);
  });

  test('what is written faster than the host takes it arrives as it was', async () => {
    const path = `${folder}/fast`;
    const bytes = randomBytes(20_000_000);
    const writer = await host.write(path, { as: 'new', mode: 0o644, at: 0 });
    await writer.write(bytes);
    await writer.end();
    expect(digest(await readFile(path))).toBe(digest(bytes));
  });

  test('a name that is too long is said to be', async () => {
    const path = `${folder}/${'x'.repeat(300)}`;
    const said = 'The name is longer than db-3 allows.';
    await expect(host.makeFolder(path)).rejects.toThrow(said);
    await expect(host.write(path, { as: 'new', mode: 0o644, at: 0 })).rejects.toThrow(said);
  });

  test.runIf(mayMount)('a disk that is full, and one that can only be read, are said to be', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    try {
      const path = `${folder}/large`;
      const writer = await host.write(path, { as: 'new', mode: 0o644, at: 0 });
      const written = writer.write(randomBytes(2_000_000)).then(() => writer.end());
      await expect(written).rejects.toThrow(`There is no space left on db-3 for ${path}.`);
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      const said = 'is on a file system that can only be read.';
      await expect(host.makeFolder(`${folder}/new`)).rejects.toThrow(said);
      await expect(host.removeFile(path)).rejects.toThrow(said);
      await expect(host.rename(path, `${folder}/other`, true)).rejects.toThrow(said);
      await expect(host.change(path, { mode: 0o600 })).rejects.toThrow(said);
      await expect(host.write(path, { as: 'over', mode: 0o644, at: 0 })).rejects.toThrow(said);
    } finally {
      execFileSync('umount', ['--lazy', folder]);
    }
  });

  test('names of any bytes are listed, opened and given back as they are', async () => {
    const name = Buffer.from([0x61, 0xff, 0x0a, 0xc3, 0xa9, 0xe2, 0x82, 0x20]);
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), 'odd');
    const entries = [];
    for await (const some of host.list(folder)) entries.push(...some);
    expect(entries.map(entry => bytesOfName(entry.name))).toEqual([name]);
    expect(entries[0]).toMatchObject({ kind: 'file', size: 3 });
    expect(String(await collect(host.read(`${folder}/${entries[0]?.name}`, 0, 3)))).toBe('odd');
  });

  test('a folder of more entries than an answer holds is listed whole, and links as links', async () => {
    for (let index = 0; index < 250; index++) await writeFile(`${folder}/f${index}`, '');
    await symlink('/nowhere', `${folder}/link`);
    const kinds: Record<string, number> = {};
    for await (const some of host.list(folder))
      for (const entry of some) kinds[entry.kind] = (kinds[entry.kind] ?? 0) + 1;
    expect(kinds).toEqual({ file: 250, link: 1 });
  });

  test('paths are resolved from the home, through links and dots, also where the last part is missing', async () => {
    await mkdir(`${folder}/a`);
    await symlink('a', `${folder}/b`);
    expect(await host.resolve(`${folder}/a/../b/./new`)).toBe(`${folder}/a/new`);
    expect(await host.resolve('')).toBe((await host.resolve('.')).replace(/\/$/, ''));
  });

  test('folders and names are made, changed and removed; nothing is replaced by accident', async () => {
    await host.makeFolder(`${folder}/d`);
    await writeFile(`${folder}/one`, '1');
    await writeFile(`${folder}/two`, '2');
    await expect(host.rename(`${folder}/one`, `${folder}/two`, false)).rejects.toThrow(/two/);
    expect(String(await readFile(`${folder}/two`))).toBe('2');
    await host.rename(`${folder}/one`, `${folder}/two`, true);
    expect(String(await readFile(`${folder}/two`))).toBe('1');
    await host.change(`${folder}/two`, { mode: 0o600 });
    expect((await host.facts(`${folder}/two`)).mode).toBe(0o600);
    await expect(host.removeFolder(folder)).rejects.toMatchObject({ code: 'bad_request' });
    await host.removeFile(`${folder}/two`);
    await host.removeFolder(`${folder}/d`);
    await host.removeFolder(folder);
  });

  test('what lies below no folder, links to nothing and in rings, and what is not empty are told apart', async () => {
    await writeFile(`${folder}/f`, '');
    await symlink('ring', `${folder}/ring`);
    await symlink('nothing', `${folder}/dead`);
    const listing = async (path: string): Promise<unknown> => (await host.list(path).next()).value;
    await expect(listing(`${folder}/f`)).rejects.toThrow(`${folder}/f on db-3 is not a folder`);
    await expect(host.facts(`${folder}/ring`)).rejects.toThrow(/ in a ring\.$/);
    expect((await host.itself(`${folder}/ring`)).kind).toBe('link');
    await expect(host.facts(`${folder}/dead`)).rejects.toThrow(/dead on db-3/);
    await expect(host.removeFolder(folder)).rejects.toThrow(`The folder ${folder} is not empty.`);
    await writeFile(`${folder}/g`, '');
    await expect(host.rename(`${folder}/f`, `${folder}/g`, false)).rejects.toMatchObject({ code: 'exists' });
  });

  test('what fails says so by host and path', async () => {
    await expect(host.facts(`${folder}/none`)).rejects.toThrow(`There is no ${folder}/none on db-3.`);
    await writeFile(`${folder}/here`, '');
    await expect(host.write(`${folder}/here`, { as: 'new', mode: 0o644, at: 0 })).rejects.toThrow(/here/);
    expect(host.close()).toBeUndefined();
    await host.closed;
    await expect(host.facts(folder)).rejects.toMatchObject({ code: 'unreachable' });
  });

  test.runIf(own.uid === 0)('a full disk is called full', async () => {
    const writer = await host.write('/dev/full', { as: 'on', mode: 0o644, at: 0 }).catch((error: Error) => error);
    if (writer instanceof Error) expect(writer.message).toContain('/dev/full');
    else await expect(writer.write(Buffer.alloc(1)).then(() => writer.end())).rejects.toThrow('/dev/full');
  });
});

const other = own.uid === 0 ? await accountsFor(0)('nobody').catch(() => undefined) : undefined;
test.runIf(other)('on this machine a login reaches what that user reaches, and no more', async () => {
  await writeFile(`${folder}/secret`, 'x', { mode: 0o600 });
  await chmod(folder, 0o711);
  host = await local.files(target('local'), { ...request, login: 'nobody' });
  await expect(collect(host.read(`${folder}/secret`, 0, 1))).rejects.toMatchObject({ code: 'denied' });
  await expect(host.write(`${folder}/new`, { as: 'new', mode: 0o644, at: 0 })).rejects.toMatchObject({
    code: 'denied',
  });
});

test('every byte string is some text and comes back', () => {
  for (const bytes of [Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('é漢🚀'), Buffer.from([0xf0, 0x9f, 0x41, 0xff])]) {
    expect(bytesOfName(textOfName(bytes))).toEqual(bytes);
  }
  host = { close: () => undefined } as unknown as HostFiles;
});

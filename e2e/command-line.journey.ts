// A person who never opens the browser: sign in, look around, and work in a real shell of a real gateway from a terminal.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from './rigs/browser.ts';
import { expect, test } from './rigs/journey.ts';
import { postern } from './rigs/postern.ts';

test('the command line signs in, lists, opens a shell that echoes, and ends with its status', async ({ gateway }) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-person-'));
  try {
    const signIn = postern(folder, 'sign-in', '--url', gateway.url, '--user', 'admin');
    await signIn.until('Password of admin: ');
    signIn.type(`${PASSWORD}\r`);
    expect(await signIn.status).toBe(0);

    const list = postern(folder, 'servers', 'list');
    expect(await list.status).toBe(0);
    expect(list.printed()).toContain(hostname());

    const shell = postern(folder, 'ssh', `root@${hostname()}`);
    await shell.until(/[#$] /);
    shell.type('echo "six times seven is $((6 * 7))"; stty size\r');
    await shell.until('six times seven is 42');
    await shell.until('30 90');
    // More than the gateway sends before it is told what was shown.
    shell.type('seq 100001 300000; echo "all $((100 + 1)) of it"\r');
    await shell.until('all 101 of it');
    // Shells mark where the output of a command begins: what a terminal shows there begins a line.
    const shown = shell.printed().replaceAll('\x1b]133;C\x07', '');
    expect(shown.match(/^[123]\d{5}\r$/gm)).toHaveLength(200_000);
    shell.type('exit 3\r');
    expect(await shell.status, shell.printed().slice(-500)).toBe(3);

    await writeFile(join(folder, 'postern', 'session.json'), '{}');
    const broken = postern(folder, 'servers', 'list');
    expect(await broken.status).toBe(1);
    expect(broken.printed()).toContain('is not a session file');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

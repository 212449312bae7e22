// Joining on machines of another make: one that only its own network namespace reaches, and one that is run by systemd.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { acceptInvite, signIn, type WireClient } from '../../e2e/rigs/client.ts';
import { freePort, type GatewayRig, openGateway } from '../../e2e/rigs/gateway.ts';
import { openSshd } from '../../e2e/rigs/sshd.ts';
import type { MadeToken } from '../contract/new-join-token.ts';
import type { Node } from '../contract/nodes.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
const PASSWORD = 'correct horse battery';
const run = promisify(execFile);
/** Root in a container may be kept from it. */
const works = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0;
const hasNamespaces = works('unshare', '-n', '-m', 'true') && works('ip', '-V');
const hasSystemd = hasNamespaces && works('systemd-analyze', '--version') && works('setsid', '--version');

let home: string;
let gateway: GatewayRig;
let ann: WireClient;
let sshPort: number;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-machine-'));
  ends.push(() => rm(home, { recursive: true, force: true }));
  sshPort = await freePort();
  gateway = await openGateway({ flags: ['--ssh-listen', `127.0.0.1:${sshPort}`] });
  ends.push(() => gateway.dispose());
  await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
  ann = await signIn(gateway.url, 'admin', PASSWORD);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
const token = async (role: 'App' | 'Db' | 'Node'): Promise<string> => {
  const made = (await ann.call('POST', 'token', { roles: [role] })) as MadeToken;
  return /'([^']+)'/.exec(made.lines[0]?.line ?? '')?.[1] ?? '';
};
/** Of an application that a machine leads to: '' while it can be used. */
async function failureOf(name: string): Promise<string> {
  const asked = { resource_kind: 'app', resource_name: name };
  const { success, traces } = (await ann.call('POST', `sites/${ann.cluster}/diagnostics/connections`, asked)) as {
    success: boolean;
    traces: readonly object[];
  };
  return success ? '' : JSON.stringify(traces);
}

// A socket with a path is met from any namespace: by it, and by nothing else, the machine inside reaches the gateway.
const inside = `
const { connect, createServer } = require('node:net');
for (const [path, port] of JSON.parse(process.argv[1]))
  createServer(one => { const other = connect(path); one.pipe(other).pipe(one); one.on('error', () => other.destroy()); other.on('error', () => one.destroy()); }).listen(port, '127.0.0.1');
require('node:http').createServer((_, answer) => answer.end('from inside')).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('up'));
`;

test.runIf(hasNamespaces)(
  'an application that only its own network namespace reaches is used over its tunnel (needs root)',
  async () => {
    const name = `postern-${process.pid}`;
    await run('ip', ['netns', 'add', name]);
    ends.push(() => run('ip', ['netns', 'del', name]));
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    const port = await freePort();
    const ways = [Number(new URL(gateway.url).port), sshPort].map(to => [join(home, `${to}.sock`), to] as const);
    for (const [path, to] of ways) {
      const relay = createServer(one => {
        const other = connect(to, '127.0.0.1');
        one.pipe(other).pipe(one);
        one.on('error', () => other.destroy());
        other.on('error', () => one.destroy());
      }).listen(path);
      await once(relay, 'listening');
      ends.push(() => relay.close());
    }
    const within = (...words: readonly string[]): readonly string[] => ['netns', 'exec', name, ...words];
    const machine = spawn('ip', within(process.execPath, '-e', inside, JSON.stringify(ways), String(port)), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ends.push(() => machine.kill('SIGKILL'));
    await once(machine.stdout, 'data');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');

    const state = join(home, 'inside');
    const words = ['--state', state, '--plain', '--name', 'hidden', '--uri', `http://127.0.0.1:${port}`];
    const paste = `curl -fsSL "$0" | sh -s -- "$@"`;
    const { stdout } = await run('ip', within('sh', '-c', paste, await token('App'), ...words));
    expect(stdout).toContain('Joined as hidden.');
    await expect.poll(() => failureOf('hidden'), { timeout: 30_000 }).toBe('');
    await run('ip', within('sh', '-c', paste, await token('App'), '--state', state, '--uninstall'));
    await expect.poll(() => failureOf('hidden'), { timeout: 30_000 }).toContain('its tunnel is down');
  },
);

test.runIf(hasSystemd)(
  'under systemd the tunnel is a unit that systemd finds no fault with, and is taken away with it (needs root)',
  async () => {
    const tools = join(home, 'tools');
    const state = join(home, 'under systemd');
    await mkdir(tools);
    // In place of a running systemd: what it is asked is written down.
    await writeFile(join(tools, 'systemctl'), `#!/bin/sh\nprintf '%s\\n' "$*" >> ${home}/asked\n`);
    await chmod(join(tools, 'systemctl'), 0o755);
    const script = `set -e
mount -t tmpfs none /etc/systemd/system
mount -t tmpfs none /run
mkdir -p /run/systemd/system
PATH="$1:$PATH"; export PATH
curl -fsSL "$2" > "$1/script"
sh "$1/script" --state "$3" --name under --uri http://127.0.0.1:1 --dry-run
[ ! -e "$3" ] && [ ! -e /etc/systemd/system/postern-tunnel.service ]
sh "$1/script" --state "$3" --name under --uri http://127.0.0.1:1
cp /etc/systemd/system/postern-tunnel.service "$1/../unit.service"
systemd-analyze verify /etc/systemd/system/postern-tunnel.service
sh "$1/script" --state "$3" --name under --uri http://127.0.0.1:1
sh "$1/script" --state "$3" --uninstall
[ ! -e "$3" ] && [ ! -e /etc/systemd/system/postern-tunnel.service ]
`;
    const { stdout, stderr } = await run('unshare', ['-m', 'sh', '-c', script, 'sh', tools, await token('App'), state]);
    expect([stdout, stderr]).toEqual([
      expect.stringContaining('would write: /etc/systemd/system/postern-tunnel.service'),
      '',
    ]);
    expect(await readFile(join(home, 'unit.service'), 'utf8')).toContain(`ExecStart=/bin/sh "${state}/tunnel"`);
    const asked = (await readFile(join(home, 'asked'), 'utf8')).trim().split('\n');
    expect(asked.filter(line => line.startsWith('enable'))).toHaveLength(2);
    expect(asked.at(-1)).toBe('disable --now --quiet postern-tunnel.service');
  },
);

const SID = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
/** What is done to a server by the join line, and undone; prints what the test looks at. */
const audited = `set -e
tools=$1 line=$2 state=$3 config=$4
# Copies of what is changed: this machine stays as it is.
mkdir "$tools/etc" "$tools/lib"
cp -a /etc/. "$tools/etc"
mount --bind "$tools/etc" /etc
mkdir -p /usr/local/lib
mount --bind "$tools/lib" /usr/local/lib
mount -t tmpfs none /run
mkdir -p /run/sshd /etc/audit/rules.d /etc/ssh/sshd_config.d /etc/sudoers.d
ssh-keygen -A > /dev/null
PATH="$tools/bin:$PATH"; export PATH
trace() {
  (cd /etc && find . -type f ! -name '*passwd*' ! -name '*shadow*' ! -name '*group*' ! -name 'sub?id*' ! -name .pwd.lock -exec sha256sum {} + | sort -k 2)
  ls /usr/local/lib /etc/ssh/sshd_config.d
  cut -d : -f 1 /etc/passwd /etc/group
}
trace > "$tools/before"
curl -fsSL "$line" > "$tools/script"
# The second time it looks after what is there.
for time in first second; do
  sh "$tools/script" --state "$state" --sshd-config "$config" --name audited --plain --audit --users
done
sshd -t
echo "in the stack: $(grep -c note-session /etc/pam.d/sshd)"
for name in session other; do
  PAM_USER=root SSH_AUTH_INFO_0="publickey $(cut -d ' ' -f 1,2 "$tools/$name-cert.pub")" /usr/local/lib/postern/note-session
done
PAM_USER=postern-audit SSH_AUTH_INFO_0="publickey $(cut -d ' ' -f 1,2 "$tools/session-cert.pub")" /usr/local/lib/postern/note-session
echo "noted: $(cut -d ' ' -f 1 /run/postern/sessions)"
sed "s#^PATH=#PATH=$tools/bin:#" /usr/local/lib/postern/read-session > "$tools/read"
echo "read: $(SSH_ORIGINAL_COMMAND="${SID} command disk shell" sh "$tools/read" | grep -v '^[0-9]' | sed 's/since=.*/since/' | tr '\\n' ' ')"
for asked in 'x; id' '../etc/passwd' 00000000-0000; do
  echo "refused: $(SSH_ORIGINAL_COMMAND=$asked sh "$tools/read" 2>&1 | tail -n 1)"
done
sh "$tools/script" --state "$state" --sshd-config "$config" --uninstall
trace > "$tools/after"
diff "$tools/before" "$tools/after" && echo 'no trace'
`;
test.runIf(hasNamespaces && works('visudo', '--version'))(
  'with --audit and --users a server is prepared whole: sessions are noted by their certificates, one login reads them and nothing else, and all is taken away without a trace (needs root)',
  async () => {
    const sshd = await openSshd({ trustedUserCa: await gateway.command('ca', 'export') });
    ends.push(() => sshd.dispose());
    const tools = join(home, 'audited');
    await mkdir(join(tools, 'bin'), { recursive: true });
    // In place of what speaks to the kernel, which all that runs here share: it keeps the rules, and answers as ausearch does.
    const doubles = {
      auditctl: 'exit 0',
      augenrules: `cat /etc/audit/rules.d/*.rules > ${tools}/rules 2> /dev/null || :`,
      ausearch: `printf '%s\\n' "$*" >> ${tools}/searched; printf 'type=EXECVE argc=1 a0="id"\\ntype=CRED x\\n'`,
    };
    for (const [name, body] of Object.entries(doubles)) {
      await writeFile(join(tools, 'bin', name), `#!/bin/sh\n[ $# -gt 0 ] || exit 0\n${body}\n`);
      await chmod(join(tools, 'bin', name), 0o755);
    }
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(tools, 'ca')]);
    for (const [name, id] of [
      ['session', `ann session=${SID}`],
      ['other', 'somebody else'],
    ] as const) {
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(tools, name)]);
      await run('ssh-keygen', ['-q', '-s', join(tools, 'ca'), '-I', id, '-n', 'root', join(tools, `${name}.pub`)]);
    }
    const config = join(sshd.folder, 'sshd_config');
    const words = [tools, await token('Node'), join(home, 'audited-state'), config];
    const { stdout } = await run('unshare', ['-m', 'sh', '-c', audited, 'sh', ...words]);
    const said = stdout.split('\n');
    expect(said.filter(line => /^(in the stack|noted|read|refused|no trace)/.test(line))).toEqual([
      'in the stack: 1',
      `noted: ${SID}`,
      'read: since type=EXECVE argc=1 a0="id" type=EXECVE argc=1 a0="id" ',
      'refused: not a session',
      'refused: not a session',
      'refused: the log-in of this session was not noted',
      'no trace',
    ]);
    const rules = await readFile(join(tools, 'rules'), 'utf8');
    for (const key of ['postern', 'postern-network', 'postern-disk'])
      expect(rules).toMatch(new RegExp(`-k ${key}$`, 'm'));
    expect(await readFile(join(tools, 'searched'), 'utf8')).toMatch(/--key postern --.*\n.*--key postern-disk --/);
    const { items } = (await ann.call('GET', `sites/${ann.cluster}/nodes`)) as { items: Node[] };
    expect(items.find(({ hostname }) => hostname === 'audited')?.tags).toEqual(
      expect.arrayContaining(['commands', 'disk', 'network'].map(name => ({ name, value: 'kernel' }))),
    );
  },
);

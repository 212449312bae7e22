// A leaf cluster that means no good: it joins with a token like any, dials in with OpenSSH's own client, and answers what a test makes it say.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

export interface HostileLeafOptions {
  /** Where the root is asked. */
  readonly url: string;
  readonly rootName: string;
  readonly tunnelPort: number;
  readonly token: string;
  readonly name: string;
}
export interface HostileLeaf {
  /** Method and path of each request that came, the oldest first. */
  readonly asked: string[];
  /** What the root has said of its people, the newest last. */
  readonly vouched: string[];
  /** What it has said of second factors that they have shown, the newest last. */
  readonly factors: string[];
  /** PEM: by which the root's word of its people is checked. */
  readonly identityKey: string;
  /** One line, as it dials in with. */
  readonly publicKey: string;
  /** What it answers from now on; absent: 404. */
  answer(handler: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** What becomes of upgrades from now on. */
  upgrade(handler: (request: IncomingMessage, socket: Duplex) => void): void;
  /** Dials in with its key and these words of `ssh`; answers what was said once that is over. */
  dial(...words: readonly string[]): Promise<string>;
  dispose(): Promise<void>;
}

/** What a leaf asks its root; answers status and body. */
export async function askToJoin(url: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${url}/v1/webapi/trustedclusters/validate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Two words of a line of ssh-keygen's: algorithm and key. */
const plain = (line: string): string => line.split(' ').slice(0, 2).join(' ').trim();

/** It dials until it is disposed. Throws what the root refuses with. You must dispose it. */
export async function openHostileLeaf(options: HostileLeafOptions): Promise<HostileLeaf> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-hostile-'));
  const key = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
  const publicKey = plain(readFileSync(`${key}.pub`, 'utf8'));
  const { name, token, rootName } = options;
  const joined = await askToJoin(options.url, {
    ...{ token, cluster_name: name, root_name: rootName, public_key: publicKey },
  });
  if (joined.status !== 200) throw new Error(JSON.stringify(joined.body));
  writeFileSync(join(folder, 'known'), `[127.0.0.1]:${options.tunnelPort} ${joined.body.host_key}\n`);

  const asked: string[] = [];
  const vouched: string[] = [];
  const factors: string[] = [];
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end('{}');
  let upgraded = (_request: IncomingMessage, socket: Duplex): void => void socket.destroy();
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    const said = headers['postern-visitor'];
    if (typeof said === 'string') vouched.push(said);
    const factor = headers['postern-factor'];
    if (typeof factor === 'string') factors.push(factor);
  };
  const server: Server = createServer((request, response) => {
    note(request);
    request.resume();
    response.on('error', () => undefined);
    // What the root tells by itself is heard as by any leaf.
    if (request.url === '/ended' || request.url === '/vouched') return void response.writeHead(204).end();
    handle(request, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    note(request);
    socket.on('error', () => undefined);
    upgraded(request, socket);
  });
  const open = new Set<Duplex>();
  server.on('connection', socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const path = join(folder, 'socket');
  await new Promise<void>(done => server.listen(path, done));

  const started = new Set<ChildProcess>();
  function ssh(words: readonly string[]): ChildProcess {
    const given = ['-F', '/dev/null', '-i', key, '-p', String(options.tunnelPort)];
    const more = ['BatchMode=yes', 'IdentitiesOnly=yes', 'IdentityAgent=none', 'ExitOnForwardFailure=yes'];
    const all = [...more, `UserKnownHostsFile=${join(folder, 'known')}`, 'StrictHostKeyChecking=yes'];
    const child = spawn('ssh', [...given, ...all.flatMap(one => ['-o', one]), ...words], { stdio: 'pipe' });
    started.add(child);
    return child;
  }
  ssh(['-N', '-R', `/postern/cluster:${path}`, 'tunnel@127.0.0.1']);
  return {
    ...{ asked, vouched, factors, publicKey, identityKey: String(joined.body.identity_key) },
    answer(handler) {
      handle = handler;
    },
    upgrade(handler) {
      upgraded = handler;
    },
    dial: (...words) =>
      new Promise(done => {
        const child = ssh(words);
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream?.on('data', (bytes: Buffer) => {
            said += bytes.toString();
          });
        child.stdin?.end();
        child.once('close', () => done(said));
      }),
    async dispose() {
      for (const child of started) child.kill('SIGKILL');
      for (const socket of open) socket.destroy();
      await new Promise(done => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

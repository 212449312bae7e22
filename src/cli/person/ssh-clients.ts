// A person's own ssh: the key and certificate that it shows at the gateway, the way there through the console's port, and the block of
// its configuration.
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { socketAddress } from '../../client/refusal.ts';
import { listClusters } from '../../contract/clusters.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../../contract/envelope.ts';
import { listNodes } from '../../contract/nodes.ts';
import { createSshCertificate, getSshAccess, SSH_READY, sshSocketPath } from '../../contract/ssh-clients.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { shellWord } from '../../features/shell-word.ts';
import { plainText } from '../output.ts';
import { CLUSTER_FLAG, SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { factsOf } from './facts.ts';
import { nodePorts } from './node-ports.ts';
import { open } from './opened.ts';
import { sessionOf } from './session-file.ts';
import { askKeyInBrowser, sayOnError } from './session-key.ts';
import { resumeSession, type Session } from './signed.ts';

/** What ssh is told to choose first: by itself it takes ChaCha20, which costs both ends more than twice what AES does in hardware. */
const CIPHERS = 'aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr,aes256-ctr';

/** What was read and not yet taken by the network, bytes: beyond it standard input waits. */
const UNSENT_MOST_BYTES = 1024 * 1024;
const UNSENT_LOOK_MS = 5;
/** Gateways take no larger message, bytes. */
const PIECE_BYTES = 32 * 1024;
const PAGE = 1000;
/** Servers that the block names; the others are reached by the name with the cluster's behind it. */
const NAMES_MOST = 5000;
/** Names that are nothing else in ssh's configuration: no pattern, no quote, no space. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

const ED25519 = 'ssh-ed25519';
/** Encoded length of what stands before the 32 bytes of a private key (RFC 8410). */
const PKCS8_HEAD_BYTES = 16;

const sshFolder = (sessionFile: string): string => join(dirname(sessionFile), 'ssh');
const keyFile = (sessionFile: string): string => join(sshFolder(sessionFile), 'id_ed25519');

/** Written whole or not at all, readable by its owner alone. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(part, text, { mode: 0o600, flag: 'wx' });
  renameSync(part, file);
}
function string(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as string);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
/** A new key: one line for the gateway, and the file as OpenSSH keeps private keys (PROTOCOL.key), which older ones read no other way. */
function newKey(): { readonly publicKey: string; readonly file: string } {
  const keys = generateKeyPairSync('ed25519');
  const secret = createPrivateKey(keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const seed = secret.export({ type: 'pkcs8', format: 'der' }).subarray(PKCS8_HEAD_BYTES);
  const raw = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([string(ED25519), string(raw)]);
  const check = randomBytes(4);
  const inner = Buffer.concat([check, check, blob, string(Buffer.concat([seed, raw])), string('postern')]);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (inner.length % 8)) % 8));
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[string('none'), string('none'), string(''), Buffer.from([0, 0, 0, 1]), string(blob)],
    string(Buffer.concat([inner, padding])),
  ]);
  const lines = body.toString('base64').match(/.{1,70}/g) ?? [];
  return {
    publicKey: `${ED25519} ${blob.toString('base64')} postern`,
    file: `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`,
  };
}

/** Puts a key with a certificate, and the gateway's host key, beside the session's file. Throws ApiError, Refused. */
export async function writeSshKey(sessionFile: string): Promise<void> {
  const session = resumeSession(sessionFile);
  const { clusterId } = await factsOf(session);
  const key = newKey();
  const { certificate } = await session.call(createSshCertificate, {
    params: { clusterId },
    body: { publicKey: key.publicKey },
  });
  const file = keyFile(sessionFile);
  write(file, key.file);
  write(`${file}.pub`, `${key.publicKey}\n`);
  write(`${file}-cert.pub`, `${certificate}\n`);
}
/** Takes them away again. */
export const removeSshKey = (sessionFile: string): void =>
  rmSync(sshFolder(sessionFile), { recursive: true, force: true });

/** All servers whose names ssh takes as they are. */
async function namesOf(session: Session, clusterId: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let startKey = ''; names.length < NAMES_MOST; ) {
    const page = await session.call(listNodes, {
      params: { clusterId },
      query: { limit: PAGE, sort: 'hostname', ...(startKey !== '' && { startKey }) },
    });
    names.push(...page.items.map(({ hostname }) => hostname).filter(name => PLAIN_NAME.test(name)));
    startKey = page.startKey;
    if (startKey === '') break;
  }
  return [...new Set(names)].slice(0, NAMES_MOST);
}
/** A word of ssh's configuration: what is quoted there stands between double quotes, and a per cent sign means itself doubled. */
function configWord(text: string): string {
  if (/["\n\r]/.test(text)) throw new Refused(`${plainText(text)} cannot stand in a configuration of ssh`);
  return `"${text.replaceAll('%', '%%')}"`;
}
/** One of a line that a shell runs. */
const proxyWord = (text: string): string => shellWord(text).replaceAll('%', '%%');

/** Leaf clusters that are connected now, with the host key that SSH clients are shown there. */
async function leavesOf(session: Session, own: string): Promise<readonly { name: string; hostKey: string }[]> {
  const clusters = await session.call(listClusters, {});
  const online = clusters.filter(({ name, status }) => name !== own && status === 'online' && PLAIN_NAME.test(name));
  const found = await Promise.all(
    online.map(({ name }) =>
      session.call(getSshAccess, { params: { clusterId: name } }).then(
        ({ hostKey }) => [{ name, hostKey }],
        // One that lets nobody in now, or has just gone, is written when this runs again.
        () => [],
      ),
    ),
  );
  return found.flat();
}

/** The block of ssh's configuration by which the servers are reached with what is kept beside a session's file. Throws ApiError, Refused. */
async function blockOf(
  file: string,
): Promise<{ readonly block: string; readonly names: readonly string[]; readonly clusterId: string }> {
  const session = resumeSession(file);
  const { clusterId } = await factsOf(session);
  const { hostKey, address } = await session.call(getSshAccess, { params: { clusterId } });
  const folder = sshFolder(file);
  const alias = `postern.${clusterId}`;
  const known = join(folder, 'known_hosts');
  const [, script = ''] = process.argv;
  const command = [process.execPath, ...process.execArgv, resolve(script)].map(proxyWord).join(' ');
  const names = await namesOf(session, clusterId);
  const pinnedAs = (name: string): readonly string[] => [
    `  UserKnownHostsFile ${configWord(known)}`,
    `  HostKeyAlias ${name}`,
    '  StrictHostKeyChecking yes',
    `  Ciphers ${CIPHERS}`,
  ];
  const pinned = pinnedAs(alias);
  const block = [
    `# Servers of ${clusterId}, through Postern. Written by \`postern config ssh\`: run it again for new servers.`,
    `Host *.${clusterId} !${alias}${names.map(name => ` ${name}`).join('')}`,
    `  ProxyCommand ${command} proxy ssh %r@%h --session-file ${proxyWord(file)}`,
    ...pinned,
    '',
    ...(address === null
      ? []
      : [
          `# Without the command line: ssh ${session.user}:root@db-3@${alias}`,
          `Host ${alias}`,
          `  HostName ${address.host}`,
          `  Port ${address.port}`,
          `  IdentityFile ${configWord(keyFile(file))}`,
          `  CertificateFile ${configWord(`${keyFile(file)}-cert.pub`)}`,
          '  IdentitiesOnly yes',
          ...pinned,
          '',
        ]),
  ].join('\n');
  const leaves = await leavesOf(session, clusterId);
  const ofLeaves = leaves.map(leaf =>
    [
      `# Servers of the leaf cluster ${leaf.name}, as in ssh root@db-3%${leaf.name}`,
      `Host *%${leaf.name}`,
      `  ProxyCommand ${command} proxy ssh %r@%h --session-file ${proxyWord(file)}`,
      ...pinnedAs(`postern.${leaf.name}`),
      '',
    ].join('\n'),
  );
  const keys = [
    `${alias}${address === null ? '' : `,[${address.host}]:${address.port}`} ${hostKey}`,
    ...leaves.map(leaf => `postern.${leaf.name} ${leaf.hostKey}`),
  ];
  write(known, `${keys.join('\n')}\n`);
  return { block: [...ofLeaves, block].join('\n'), names, clusterId };
}
/** Writes key, certificate and that block beside a session's file. Answers where the block is. Throws ApiError, Refused. */
export async function writeSshFolder(file: string): Promise<string> {
  await writeSshKey(file);
  const own = join(sshFolder(file), 'config');
  write(own, (await blockOf(file)).block);
  return own;
}

async function configure(typed: Typed, { print }: Surface): Promise<number> {
  const file = sessionOf(typed);
  await writeSshKey(file);
  const { block, names, clusterId } = await blockOf(file);
  if (typed.has('--print')) {
    print(block);
    return 0;
  }
  const own = join(sshFolder(file), 'config');
  write(own, block);
  const config = resolve(typed.one('--file') ?? join(homedir(), '.ssh', 'config'));
  const include = `Include ${configWord(own)}`;
  const before = existsSync(config) ? readFileSync(config, 'utf8') : '';
  // First, since what stands first counts, and what follows a Host line is for that host alone.
  if (!before.split(/\r?\n/).includes(include)) write(config, `${include}\n${before === '' ? '' : `\n${before}`}`);
  print(`${config} includes ${own}: ${names.length} servers by name, and any as NAME.${clusterId}. Such as:`);
  print(`ssh root@${names[0] ?? `NAME.${clusterId}`}`);
  return 0;
}

/** Connects standard input and output with the gateway's SSH server. Settles when either end is over. Throws Refused. */
async function proxy(typed: Typed): Promise<number> {
  const [place = ''] = typed.words;
  const at = place.lastIndexOf('@');
  const wanted = place.slice(at + 1);
  if (wanted === '') throw new UsageError(`proxy ssh: "${place}": such as root@db-3 expected`);
  const { session, clusterId: named } = await open(typed);
  // `db-3%acme-eu` is in that leaf.
  const percent = wanted.lastIndexOf('%');
  const clusterId = percent > 0 ? wanted.slice(percent + 1) : named;
  const machine = percent > 0 ? wanted.slice(0, percent) : wanted;
  const suffix = `.${clusterId}`;
  const server = machine.endsWith(suffix) ? machine.slice(0, -suffix.length) : machine;
  const ports = nodePorts(session, clusterId);
  const address = socketAddress(sshSocketPath, clusterId, { server }, await ports.token());
  const { stdin, stdout } = process;
  const socket = ports.connect(address);
  socket.binaryType = 'arraybuffer';
  let isOpen = false;
  let isReady = false;
  let gone = (): void => undefined;
  let looking: NodeJS.Timeout | undefined;
  const over = Promise.withResolvers<void>();
  const fail = (why: string): void => over.reject(new Refused(plainText(why)));

  socket.onopen = () => {
    isOpen = true;
  };
  socket.onclose = async ({ code, reason }) => {
    if (!isOpen) return fail((await ports.explainRefusal(address)).text);
    if (code === closeCodes.normal) over.resolve();
    else fail(reason || 'the connection to the gateway was lost');
  };
  socket.onmessage = ({ data }) => {
    if (isReady) stdout.write(new Uint8Array(data as ArrayBuffer));
    else if (data === SSH_READY) begin();
    else
      prove(new Uint8Array(data as ArrayBuffer)).catch((error: unknown) =>
        fail(error instanceof Error ? error.message : String(error)),
      );
  };
  async function prove(bytes: Uint8Array): Promise<void> {
    const { type, payload } = decodeFrame(bytes);
    if (type !== frameTypes.webauthn) throw new Refused('the gateway said something that is not understood');
    const answer = await askKeyInBrowser(session.url, Buffer.from(payload).toString('utf8'), sayOnError, run => {
      gone = run;
    });
    socket.send(encodeFrame(frameTypes.webauthn, new TextEncoder().encode(answer)) as Uint8Array<ArrayBuffer>);
  }
  function begin(): void {
    isReady = true;
    stdin.on('data', (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        socket.send(new Uint8Array(bytes.subarray(from, from + PIECE_BYTES)));
      if (socket.bufferedAmount <= UNSENT_MOST_BYTES || looking !== undefined) return;
      // The socket says how much waits, and never when it is gone.
      stdin.pause();
      looking = setInterval(() => {
        if (socket.bufferedAmount > UNSENT_MOST_BYTES) return;
        clearInterval(looking);
        looking = undefined;
        stdin.resume();
      }, UNSENT_LOOK_MS);
    });
    stdin.once('end', over.resolve);
    stdin.once('error', () => over.resolve());
    stdout.once('error', () => over.resolve());
    stdin.resume();
  }
  try {
    await over.promise;
    return 0;
  } finally {
    gone();
    clearInterval(looking);
    socket.onmessage = socket.onclose = null;
    socket.close(closeCodes.normal);
    stdin.destroy();
  }
}

export const sshClientVerbs: readonly Verb[] = [
  {
    verb: 'config ssh',
    words: [],
    help: 'Writes the block by which ssh, scp, sftp, rsync and git reach the servers through the gateway, as in ssh root@db-3',
    flags: [
      { name: '--print', help: 'Prints the block, and leaves the configuration of ssh as it is' },
      { name: '--file', argument: 'FILE', help: 'Configuration that is to include it; ~/.ssh/config unless said' },
      SESSION_FLAG,
    ],
    run: configure,
  },
  {
    verb: 'proxy ssh',
    words: ['LOGIN@SERVER'],
    help: 'Connects ssh with a server through the gateway, as its ProxyCommand: postern proxy ssh %r@%h',
    flags: [CLUSTER_FLAG, SESSION_FLAG],
    run: proxy,
  },
];

// `scp`: files and folders between this machine and a server, as the login may there.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createTouch, type Touch } from '../../client/touch.ts';
import { ApiError } from '../../contract/failure.ts';
import { listFiles, makeFolder } from '../../contract/files.ts';
import { authenticateChallenge, mfaRequired } from '../../contract/mfa.ts';
import { listNodes } from '../../contract/nodes.ts';
import type { FileRequest } from '../../contract/terminal.ts';
import { plainJson, plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { open } from './opened.ts';
import { type Copy, fetchFile, type Place, sendFile } from './scp-wire.ts';
import { askKeyInBrowser, sayOnError } from './session-key.ts';
import type { Session } from './signed.ts';

/** Servers that are looked at for one of that name. */
const FOUND_MOST = 100;
/** How often a terminal is told how far a file is, ms. */
const TELL_EVERY_MS = 200;

interface Remote {
  readonly login: string;
  readonly hostname: string;
  readonly path: string;
}
/** `root@db-3:/path`; undefined for what is here. A path with a slash before its first colon is here, as for other copiers. */
function remoteOf(word: string): Remote | undefined {
  const [, login, hostname, path] = /^([^@:/]+)@([^:/]+):(.*)$/s.exec(word) ?? [];
  if (login === undefined || hostname === undefined || path === undefined) return undefined;
  return { login, hostname, path: path === '' ? '~' : path };
}

async function placeOf(session: Session, clusterId: string, { login, hostname }: Remote): Promise<Place> {
  const { items } = await session.call(listNodes, {
    params: { clusterId },
    query: { search: hostname, limit: FOUND_MOST },
  });
  const [node, another] = items.filter(one => one.hostname === hostname);
  if (!node) throw new Refused(`there is no server ${JSON.stringify(hostname)} for you`);
  if (another) throw new Refused(`several servers are called ${JSON.stringify(hostname)}`);
  return { clusterId, nodeId: node.id, login };
}

/** The answer of a hardware key; nothing where roles ask for none. */
async function proofOf(session: Session, { clusterId, nodeId, login }: Place): Promise<{ webauthn?: string }> {
  const body = { node: { node_name: nodeId, login } };
  if (!(await session.call(mfaRequired, { params: { clusterId }, body })).required) return {};
  const answer = await askKeyInBrowser(
    session.url,
    JSON.stringify(await session.call(authenticateChallenge)),
    sayOnError,
    () => undefined,
  );
  return { webauthn: JSON.stringify({ webauthnAssertionResponse: JSON.parse(answer) }) };
}

/** What must be allowed for one of the words that were typed. */
async function requestOf(
  word: string,
  remote: Remote | undefined,
  into: Remote | undefined,
  recursive: boolean,
): Promise<FileRequest> {
  const whole = { filename: '', reach: 'folder' as const };
  if (remote) return { download: true, location: remote.path, filename: '', ...(recursive && whole) };
  const location = into?.path ?? '';
  if (recursive && (await isFolder(word)))
    return { download: false, location: `${location.replace(/\/+$/, '')}/${basename(word)}`, ...whole };
  return { download: false, location, filename: basename(word) };
}
interface Work {
  readonly place: Place;
  readonly request: FileRequest;
}
/** One touch for all that is copied to or from one server. */
function touchesOf(session: Session, works: readonly Work[]): (work: Work) => ReturnType<Touch> {
  const key = ({ place }: Work): string => JSON.stringify(place);
  const touches = new Map<string, Touch>();
  for (const [name, some = []] of Object.entries(Object.groupBy(works, key))) {
    const [first] = some;
    const requests = some.map(({ request }) => request);
    if (first)
      touches.set(
        name,
        createTouch(session.call, first.place, requests, () => proofOf(session, first.place)),
      );
  }
  return async work => (await touches.get(key(work))?.(work.request)) ?? {};
}

/** One file to copy, and what makes its folder first. */
interface Job {
  readonly from: string;
  readonly to: string;
  run(copy: Pick<Copy, 'moved' | 'signal' | 'proof'>): Promise<number>;
}
/** What was not copied, and why. */
type Skip = (path: string, why: string) => void;

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    facts => facts.isDirectory(),
    () => false,
  );
const named = ({ login, hostname }: Remote, path: string): string => `${login}@${hostname}:${path}`;
const lastOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

/** Files of a server, those of folders with the folders made here as they are met. */
async function* downloads(
  { session, place, recursive, skip }: Way,
  source: Remote,
  target: string,
): AsyncGenerator<Job> {
  const file = (path: string, to: string): Job => ({
    from: named(source, path),
    to,
    run: copy => fetchFile({ ...copy, session, place, remote: path, local: to }),
  });
  async function* folder(path: string, to: string): AsyncGenerator<Job> {
    const { entries, whole } = await session.call(listFiles, { params: { ...place }, query: { location: path } });
    await mkdir(to, { recursive: true });
    if (!whole) skip(named(source, path), `only its first ${entries.length} entries are copied`);
    for (const { name, kind } of entries) {
      const [inner, here] = [`${path.replace(/\/+$/, '')}/${name}`, join(to, name)];
      if (kind === 'folder') yield* folder(inner, here);
      else if (kind === 'file') yield file(inner, here);
      else skip(named(source, inner), 'it is no file or folder');
    }
  }
  const to = (await isFolder(target)) ? join(target, lastOf(source.path) || source.hostname) : target;
  if (recursive) yield* folder(source.path, to);
  else yield file(source.path, to);
}
/** Files of this machine, those of folders with the folders made there as they are met. */
async function* uploads({ session, place, recursive, skip }: Way, source: string, target: Remote): AsyncGenerator<Job> {
  const file = (local: string, path: string): Job => ({
    from: local,
    to: named(target, path),
    run: copy => sendFile({ ...copy, session, place, remote: path, local }, basename(local)),
  });
  async function* folder(local: string, path: string): AsyncGenerator<Job> {
    await session.call(makeFolder, { params: { ...place }, body: { location: path } }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'exists') throw error;
    });
    for (const entry of await readdir(local, { withFileTypes: true })) {
      const [here, inner] = [join(local, entry.name), `${path.replace(/\/+$/, '')}/${entry.name}`];
      if (entry.isDirectory()) yield* folder(here, inner);
      else if (entry.isFile()) yield file(here, inner);
      else skip(here, 'it is no file or folder');
    }
  }
  if (!(await isFolder(source))) return yield file(source, target.path);
  if (!recursive) return skip(source, 'it is a folder: give -r');
  yield* folder(source, `${target.path.replace(/\/+$/, '')}/${basename(source)}`);
}
interface Way {
  readonly session: Session;
  readonly place: Place;
  readonly recursive: boolean;
  readonly skip: Skip;
}

/** Tells a terminal how far a file is; nothing where there is none. */
function progressOf(name: string): { readonly moved: Copy['moved']; end(): void } {
  const isTold = process.stderr.isTTY === true;
  const began = performance.now();
  let told = 0;
  return {
    moved(bytes, total) {
      const now = performance.now();
      if (!isTold || now - told < TELL_EVERY_MS) return;
      told = now;
      const percent = total > 0 ? Math.floor((bytes / total) * 100) : 100;
      const rate = bytes / 1000 / Math.max(1, now - began);
      process.stderr.write(`\r\x1b[K${plainText(name)}  ${percent} %  ${rate.toFixed(1)} MB/s`);
    },
    end: () => void (isTold && process.stderr.write('\r\x1b[K')),
  };
}

async function scp(typed: Typed, { print }: Surface): Promise<number> {
  const sources = typed.words.slice(0, -1);
  const target = typed.words.at(-1) ?? '';
  const to = remoteOf(target);
  if (sources.some(one => (remoteOf(one) !== undefined) === (to !== undefined)))
    throw new UsageError('scp: one side is here and the other a server, such as root@db-3:/etc/hosts');
  const isMany = sources.length > 1;
  if (isMany && !to && !(await isFolder(target)))
    throw new UsageError(`scp: ${target}: a folder expected for several files`);
  const { session, clusterId } = await open(typed);
  const isJson = typed.has('--json');
  let failed = 0;
  const tell = (path: string, there: string, bytes: number, error: string): void => {
    if (error !== '') failed++;
    if (isJson) print(plainJson({ from: path, to: there, bytes, error }).replace(/\n\s*/g, ' '));
    else if (error !== '') process.stderr.write(`postern: ${plainText(path)}: ${plainText(error)}\n`);
  };
  const skip: Skip = (path, why) => tell(path, '', 0, why);
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  // Several files go into the folder that is named.
  const into = to && isMany ? { ...to, path: `${to.path.replace(/\/+$/, '')}/` } : to;
  const recursive = typed.has('-r');
  try {
    const asked = await Promise.all(
      sources.map(async word => {
        const remote = remoteOf(word);
        const server = to ?? remote;
        const place = server && (await placeOf(session, clusterId, server));
        return place && { word, remote, place, request: await requestOf(word, remote, into, recursive) };
      }),
    );
    const works = asked.filter(one => one !== undefined);
    const touches = touchesOf(session, works);
    for (const work of works) {
      const { word, remote, place } = work;
      const way: Way = { session, place, recursive, skip };
      const jobs = remote ? downloads(way, remote, target) : into ? uploads(way, word, into) : [];
      // A folder is looked through with the proof of its files.
      if (recursive) await touches(work);
      for await (const job of jobs) {
        const progress = progressOf(job.from);
        try {
          const proof = await touches(work);
          const bytes = await job.run({ proof, moved: progress.moved, signal: stopped.signal });
          progress.end();
          tell(job.from, job.to, bytes, '');
        } catch (error) {
          progress.end();
          if (stopped.signal.aborted) throw new Refused('the copy was broken off');
          tell(job.from, job.to, 0, error instanceof Error ? error.message : String(error));
        }
      }
    }
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
  return failed > 0 ? 1 : 0;
}

export const scpVerb: Verb = {
  verb: 'scp',
  words: ['FILE…', 'TO'],
  help: 'Copies files to a server or from one; what is on a server is written LOGIN@SERVER:PATH',
  flags: [
    { name: '-r', help: 'Folders, with all that is in them' },
    { name: '--json', help: 'A line of JSON for each file: from, to, bytes, error' },
    SESSION_FLAG,
  ],
  more: async () => [
    'Such as: postern scp notes.txt root@db-3:/tmp/ or postern scp -r root@db-3:/etc/nginx .',
    'A copy that is cut goes on by itself; a download that was broken off goes on when it is asked for again.',
  ],
  run: scp,
};

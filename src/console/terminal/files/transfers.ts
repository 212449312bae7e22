// Files on their way between this computer and servers, and between servers: a few at once, in the order they were asked for.
import { proxy, ref } from 'valtio/vanilla';
import { createTouch, type Touch } from '../../../client/touch.ts';
import type { ApiError } from '../../../contract/failure.ts';
import { shownName } from '../../../contract/files.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import { createMoves, type LocalPart, type Moving } from './moves.ts';
import { callParams, nameOf, type Place } from './place.ts';
import { createProof, type ProofPorts } from './proof.ts';

/** Transfers that run at once; the others wait. */
const RUNNING_MOST = 3;

export interface Transfer {
  readonly id: string;
  readonly kind: 'download' | 'upload' | 'copy';
  readonly name: string;
  readonly title: string;
  status: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Bytes that have gone, and of how many; 0 = not known yet. */
  loaded: number;
  total: number;
  /** Bytes a second; 0 = not known yet. */
  rate: number;
  /** Why it failed, or why it waits. */
  problem: string;
}
/** One request; rejects with ApiError, `network` when it was cut. */
export interface TransferWire {
  /** Sends what follows `from`. */
  put(
    path: string,
    file: Blob,
    from: number,
    token: string,
    on: { readonly sent: (bytes: number) => void; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Answers the file, whole. `on.got` hears of each piece; it goes on by itself where it was cut, as long as `on.again` says so. */
  get(
    path: string,
    on: {
      readonly token: () => Promise<string>;
      readonly got: (loaded: number, total: number) => void;
      readonly again: (error: ApiError) => Promise<boolean>;
      readonly signal: AbortSignal;
    },
  ): Promise<Blob>;
  /** Has the gateway copy a file; resolves when it is whole. */
  copy(
    path: string,
    body: string,
    token: string,
    on: { readonly got: (loaded: number, total: number) => void; readonly signal: AbortSignal },
  ): Promise<void>;
}
export interface TransferPorts extends ProofPorts {
  readonly token: () => string | Promise<string>;
  readonly save: (file: Blob, name: string) => void;
  readonly wire: TransferWire;
  readonly now: () => number;
  readonly after: (ms: number) => Promise<void>;
}
/** A file that is downloaded; `archive`: a folder, as a tar. */
interface Wanted {
  readonly location: string;
  readonly archive?: 'tar' | undefined;
}
/** Something that is copied between servers. */
interface Copied {
  readonly location: string;
  readonly to: string;
  readonly isFolder: boolean;
}
// What is begun by one call is proven by one touch.
export interface Transfers {
  readonly state: { readonly transfers: Transfer[] };
  // Each answers when all it began is over, however it ended.
  download(place: Place, files: readonly Wanted[]): Promise<void>;
  upload(place: Place, files: readonly File[], location: string): Promise<void>;
  /** A folder of this computer becomes the folder `base`; what is there already stays, but for files of the same names. */
  uploadFolder(place: Place, name: string, parts: readonly LocalPart[], base: string): Promise<void>;
  /** Files and folders of one server become those on another, or on the same. */
  copy(from: Place, place: Place, files: readonly Copied[]): Promise<void>;
  cancel(id: string): void;
  /** Tries once more what has failed. */
  again(id: string): void;
  /** Takes what is over from the list. */
  clear(): void;
}

/** What a transfer is called, and what must be allowed. */
interface Head {
  readonly name: string;
  /** Bytes, where they are known. */
  readonly total?: number;
  readonly request: FileRequest;
  /** Where it is asked for; absent: where it ends. */
  readonly from?: Place;
  /** The touch it shares with others that were begun with it; absent: it has its own. */
  readonly touch?: Touch;
}
interface Job {
  readonly transfer: Transfer;
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** It is over, for now. */
  readonly ended: () => void;
  stop: AbortController;
}

const down = (location: string): FileRequest => ({ download: true, location, filename: '' });
const whole = { reach: 'folder' } as const;

export function createTransfers(ports: TransferPorts): Transfers {
  const state = proxy<{ transfers: Transfer[] }>({ transfers: [] });
  const jobs = new Map<string, Job>();
  const proof = createProof(ports);
  const moves = createMoves(ports);

  function begin(): void {
    const running = state.transfers.filter(({ status }) => status === 'running').length;
    for (const transfer of state.transfers
      .filter(({ status }) => status === 'waiting')
      .slice(0, RUNNING_MOST - running))
      void start(transfer.id);
  }
  async function start(id: string): Promise<void> {
    const job = jobs.get(id);
    if (!job) return;
    const { transfer, stop } = job;
    transfer.status = 'running';
    try {
      await job.run(stop.signal);
      if (transfer.status !== 'running') return;
      transfer.status = 'done';
      transfer.problem = '';
      // How large a folder is shows at its end.
      transfer.total ||= transfer.loaded;
      transfer.loaded = transfer.total;
    } catch (error) {
      if (transfer.status !== 'running') return;
      transfer.status = 'failed';
      transfer.problem = error instanceof Error ? error.message : String(error);
    } finally {
      job.ended();
      begin();
    }
  }
  /** Answers when it is over, however it ended. */
  function add(
    kind: Transfer['kind'],
    place: Place,
    { name, total = 0, request, from = place, touch }: Head,
    run: (moving: Moving) => Promise<void>,
  ): Promise<void> {
    let shared = touch;
    const id = crypto.randomUUID();
    state.transfers.push({
      id,
      kind,
      name: shownName(name),
      title: place.title,
      status: 'waiting',
      loaded: 0,
      total,
      rate: 0,
      problem: '',
    });
    const transfer = state.transfers.at(-1) as Transfer;
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = (signal: AbortSignal) => {
      // What is tried again was not proven with the others.
      const proven = shared ?? createTouch(ports.call, callParams(from), [request], () => proof(from, signal));
      shared = undefined;
      return run({ transfer, place, signal, request, touch: () => proven(request) });
    };
    jobs.set(id, { transfer, run: start, ended: resolve, stop: new AbortController() });
    begin();
    return promise;
  }

  /** Begins each, with one touch for all of them. */
  async function each<One>(
    place: Place,
    all: readonly One[],
    requestOf: (one: One) => FileRequest,
    begin: (one: One, about: { readonly request: FileRequest; readonly touch?: Touch }) => Promise<void>,
  ): Promise<void> {
    const requests = all.map(requestOf);
    const touch =
      all.length > 1 ? { touch: createTouch(ports.call, callParams(place), requests, () => proof(place)) } : {};
    await Promise.all(all.map((one, index) => begin(one, { request: requests[index] ?? requestOf(one), ...touch })));
  }

  return {
    state,
    download: (place, files) =>
      each(
        place,
        files,
        ({ location, archive }) => ({ ...down(location), ...(archive && whole) }),
        (one, about) => {
          const name = nameOf(one.location);
          const called = one.archive ? `${/^[~.]*$/.test(name) ? place.title : name}.tar` : name;
          return add('download', place, { ...about, name: called }, moving => moves.get(moving, one.archive));
        },
      ),
    upload: (place, files, location) =>
      each(
        place,
        files,
        ({ name }) => ({ download: false, location, filename: name }),
        (one, about) => {
          const file = ref(one);
          const head = { ...about, name: file.name, total: file.size };
          return add('upload', place, head, moving => moves.put(moving, file));
        },
      ),
    uploadFolder(place, name, parts, base) {
      const request = { download: false, location: base, filename: '', ...whole };
      return add('upload', place, { name: `${name}/`, request }, moving => moves.putFolder(moving, parts, base));
    },
    copy: (from, place, files) =>
      each(
        from,
        files,
        ({ location, to, isFolder }) => ({
          ...down(location),
          to: { nodeId: place.serverId, login: place.login, location: to },
          ...(isFolder && whole),
        }),
        ({ location, to, isFolder }, about) => {
          const head = { ...about, from, name: nameOf(location) + (isFolder ? '/' : '') };
          return add('copy', place, head, moving =>
            isFolder ? moves.copyFolder(moving, from, location, to) : moves.copy(moving, from, location, to),
          );
        },
      ),
    cancel(id) {
      const job = jobs.get(id);
      if (!job || !['waiting', 'running'].includes(job.transfer.status)) return;
      job.transfer.status = 'cancelled';
      job.transfer.problem = '';
      job.stop.abort();
      job.ended();
      begin();
    },
    again(id) {
      const job = jobs.get(id);
      if (job?.transfer.status !== 'failed') return;
      job.stop = new AbortController();
      Object.assign(job.transfer, { status: 'waiting', loaded: 0, rate: 0, problem: '' });
      begin();
    },
    clear() {
      for (const { id, status } of [...state.transfers])
        if (status !== 'waiting' && status !== 'running') jobs.delete(id);
      state.transfers = state.transfers.filter(({ id }) => jobs.has(id));
    },
  };
}

// Files on their way between this computer and servers: each its own request, a few at once, going on by itself after a cut.
import { proxy, ref } from 'valtio/vanilla';
import type { MakeCall } from '../../../contract/call.ts';
import { ApiError } from '../../../contract/failure.ts';
import { cancelTransfer, getTransfer } from '../../../contract/files.ts';
import { authenticateChallenge, mfaRequired } from '../../../contract/mfa.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import type { Place } from './place.ts';

/** Transfers that run at once; the others wait. */
const RUNNING_MOST = 3;
/** How often a transfer goes on after a cut, and how long it waits before the first time, ms; each time twice as long. */
const CUTS_MOST = 6;
const WAIT_MS = 500;
/** The rate is that of the last seconds, ms. */
const RATE_OVER_MS = 4000;

export interface Transfer {
  readonly id: string;
  readonly kind: 'download' | 'upload';
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
}
export interface TransferPorts {
  readonly call: MakeCall;
  readonly token: () => string | Promise<string>;
  /** Asks for a hardware key: its answer as JSON. */
  readonly prove: (title: string, challenge: string, onGone: (run: () => void) => void) => Promise<string>;
  /** Waits for those whom the session there asks; answers what the call says of their approval. Rejects with a sentence. */
  readonly approval: (
    place: Place,
    transfer: FileRequest,
    signal: AbortSignal,
  ) => Promise<Readonly<Record<string, string>>>;
  readonly save: (file: Blob, name: string) => void;
  readonly wire: TransferWire;
  readonly now: () => number;
  readonly after: (ms: number) => Promise<void>;
}
export interface Transfers {
  readonly state: { readonly transfers: Transfer[] };
  /** `archive`: a folder, as a tar. */
  download(place: Place, location: string, archive?: 'tar'): void;
  upload(place: Place, files: readonly File[], location: string): void;
  cancel(id: string): void;
  /** Tries once more what has failed. */
  again(id: string): void;
  /** Takes what is over from the list. */
  clear(): void;
}

interface Job {
  readonly transfer: Transfer;
  readonly place: Place;
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly drop: () => void;
  stop: AbortController;
}

/** Address of a file's call. */
function scpPath({ clusterId, serverId, login }: Place, query: Readonly<Record<string, string>>): string {
  const [cluster, server, as] = [clusterId, serverId, login].map(encodeURIComponent);
  return `/v1/webapi/sites/${cluster}/nodes/${server}/${as}/scp?${new URLSearchParams(query)}`;
}

export function createTransfers(ports: TransferPorts): Transfers {
  const state = proxy<{ transfers: Transfer[] }>({ transfers: [] });
  const jobs = new Map<string, Job>();
  const paramsOf = ({ clusterId, serverId, login }: Place, transfer: string) => ({
    clusterId,
    nodeId: serverId,
    login,
    transfer,
  });

  /** The answer of a hardware key for one transfer, as the call takes it; nothing where roles ask for none. */
  async function proof(
    { clusterId, serverId, login, title }: Place,
    signal: AbortSignal,
  ): Promise<Record<string, string>> {
    const node = { node_name: serverId, login };
    const { required } = await ports.call(mfaRequired, { params: { clusterId }, body: { node } });
    if (!required) return {};
    const challenge = await ports.call(authenticateChallenge);
    const answer = await ports.prove(title, JSON.stringify(challenge), run => signal.addEventListener('abort', run));
    return { webauthn: JSON.stringify({ webauthnAssertionResponse: JSON.parse(answer) }) };
  }
  /** Notes how far it is, and how fast. */
  function meter(transfer: Transfer): (loaded: number, total?: number) => void {
    let samples: { readonly at: number; readonly loaded: number }[] = [];
    return (loaded, total) => {
      const at = ports.now();
      samples = [...samples.filter(one => at - one.at < RATE_OVER_MS && one.loaded <= loaded), { at, loaded }];
      const [first] = samples;
      transfer.loaded = loaded;
      if (total !== undefined) transfer.total = total;
      if (first && at > first.at) transfer.rate = ((loaded - first.loaded) / (at - first.at)) * 1000;
    };
  }
  /** Whether a cut may be waited out: a few times, ever longer, and never once it was cancelled. */
  function patience(transfer: Transfer, signal: AbortSignal): (error: ApiError) => Promise<boolean> {
    let cuts = 0;
    return async error => {
      if (signal.aborted || !['network', 'unavailable'].includes(error.code) || cuts >= CUTS_MOST) return false;
      transfer.problem = 'The connection was cut. Going on…';
      transfer.rate = 0;
      await ports.after(WAIT_MS * 2 ** cuts++);
      return !signal.aborted;
    };
  }

  async function put(
    transfer: Transfer,
    place: Place,
    file: File,
    location: string,
    signal: AbortSignal,
  ): Promise<void> {
    const id = transfer.id;
    const note = meter(transfer);
    const goesOn = patience(transfer, signal);
    for (let from = 0; ; ) {
      // What goes on was proven when it began.
      const asked = { download: false, location, filename: file.name };
      const proven =
        from > 0 ? {} : { ...(await ports.approval(place, asked, signal)), ...(await proof(place, signal)) };
      const path = scpPath(place, { location, filename: file.name, transfer: id, ...proven });
      const start = from;
      try {
        const sent = (bytes: number): void => {
          transfer.problem = '';
          note(start + bytes);
        };
        return await ports.wire.put(path, file, start, await ports.token(), { sent, signal });
      } catch (error) {
        if (!(error instanceof ApiError) || !(await goesOn(error))) throw error;
        from = await ports
          .call(getTransfer, { params: paramsOf(place, id) })
          .then(({ received }) => received)
          .catch((problem: unknown) => {
            if (problem instanceof ApiError && problem.code === 'not_found') return 0;
            return start;
          });
      }
    }
  }
  async function get(
    transfer: Transfer,
    place: Place,
    location: string,
    archive: 'tar' | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const approved = await ports.approval(place, { download: true, location, filename: '' }, signal);
    const path = scpPath(place, {
      location,
      transfer: transfer.id,
      ...(archive && { archive }),
      ...approved,
      ...(await proof(place, signal)),
    });
    const note = meter(transfer);
    const file = await ports.wire.get(path, {
      token: async () => ports.token(),
      got: (loaded, total) => {
        transfer.problem = '';
        note(loaded, total);
      },
      again: patience(transfer, signal),
      signal,
    });
    ports.save(file, transfer.name);
  }

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
      begin();
    }
  }
  function add(
    kind: Transfer['kind'],
    place: Place,
    name: string,
    total: number,
    run: (transfer: Transfer, signal: AbortSignal) => Promise<void>,
  ): void {
    const id = crypto.randomUUID();
    state.transfers.push({
      id,
      kind,
      name,
      title: place.title,
      status: 'waiting',
      loaded: 0,
      total,
      rate: 0,
      problem: '',
    });
    const transfer = state.transfers.at(-1) as Transfer;
    jobs.set(id, {
      transfer,
      place,
      run: signal => run(transfer, signal),
      // What was written goes; when the gateway has nothing of it (any more) there is nothing to do.
      drop: () =>
        void (kind === 'upload' && ports.call(cancelTransfer, { params: paramsOf(place, id) }).catch(() => undefined)),
      stop: new AbortController(),
    });
    begin();
  }

  return {
    state,
    download(place, location, archive) {
      const name = location.replace(/\/+$/, '').replace(/^.*\//, '');
      const called = archive ? `${/^[~.]*$/.test(name) ? place.title : name}.tar` : name;
      add('download', place, called, 0, (transfer, signal) => get(transfer, place, location, archive, signal));
    },
    upload(place, files, location) {
      for (const file of files.map(one => ref(one)))
        add('upload', place, file.name, file.size, (transfer, signal) => put(transfer, place, file, location, signal));
    },
    cancel(id) {
      const job = jobs.get(id);
      if (!job || !['waiting', 'running'].includes(job.transfer.status)) return;
      job.transfer.status = 'cancelled';
      job.transfer.problem = '';
      job.stop.abort();
      job.drop();
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

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
/** `12.3 MB`; thousands, as disks are sold. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
/** How far, how fast, and how long it still takes. */
export function progressText({ status, loaded, total, rate }: Readonly<Transfer>): string {
  if (status === 'waiting') return 'Waits for the others';
  if (status === 'cancelled') return 'Cancelled';
  if (status === 'done') return bytesText(total);
  const parts = [
    total > 0 ? `${bytesText(loaded)} of ${bytesText(total)}` : loaded > 0 ? bytesText(loaded) : 'Begins…',
  ];
  if (rate > 0) parts.push(`${bytesText(rate)}/s`);
  if (rate > 0 && total > loaded) parts.push(`${leftText((total - loaded) / rate)} left`);
  return parts.join(' · ');
}
const leftText = (seconds: number): string =>
  seconds < 60
    ? `${Math.ceil(seconds)} s`
    : seconds < 3600
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`;

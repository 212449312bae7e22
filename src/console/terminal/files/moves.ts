// What a transfer does: one request for each file, going on by itself after a cut, and folders file by file.
import { encodedText, pathOf } from '../../../contract/call.ts';
import { ApiError } from '../../../contract/failure.ts';
import { cancelTransfer, copyFile, downloadFile, getTransfer, shownName } from '../../../contract/files.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import { createLooks } from './looks.ts';
import { callParams, type Place, pathIn } from './place.ts';
import type { Leave } from './proof.ts';
import type { Transfer, TransferPorts } from './transfers.ts';

/** How often a file goes on after a cut, and how long it waits before the first time, ms; each time twice as long. */
const CUTS_MOST = 6;
const WAIT_MS = 500;
/** The rate is that of the last seconds, ms. */
const RATE_OVER_MS = 4000;
/** Folders within folders. */
const DEPTH_MOST = 200;

/** Something of a folder, its path within that; null: a folder itself. */
export interface LocalPart {
  readonly path: string;
  readonly file: File | null;
}
/** Hears how many bytes have gone, and of how many. */
type Note = (loaded: number, total?: number) => void;
/** How a file of a folder goes, and what it is then. */
interface Part {
  readonly path: string;
  /** Absent: a folder. Answers its size, bytes. */
  readonly go?: (note: Note) => Promise<number>;
}

/** Address of a file's call. */
function scpPath(place: Place, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodedText(value)}`);
  return `${pathOf(downloadFile, callParams(place))}?${pairs.join('&')}`;
}

export function createMoves(ports: TransferPorts) {
  const looks = createLooks(ports);

  /** Notes how far it is, and how fast. */
  function meter(transfer: Transfer): Note {
    let samples: { readonly at: number; readonly loaded: number }[] = [];
    return (loaded, total) => {
      const at = ports.now();
      samples = [...samples.filter(one => at - one.at < RATE_OVER_MS && one.loaded <= loaded), { at, loaded }];
      const [first] = samples;
      transfer.problem = '';
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
  // What was written goes; when the gateway has nothing of it (any more) there is nothing to do.
  const drop = (place: Place, transfer: string): void =>
    void ports.call(cancelTransfer, { params: { ...callParams(place), transfer } }).catch(() => undefined);

  /** One file of this computer. `id`: under which it goes on after a cut. */
  async function put(
    { transfer, place, signal }: Moving,
    id: string,
    file: File,
    location: string,
    leave: Leave,
    note: Note,
  ): Promise<void> {
    const goesOn = patience(transfer, signal);
    // What the gateway has begun was allowed when it began.
    let given: Leave = leave;
    for (let from = 0; ; ) {
      const path = scpPath(place, { location, filename: file.name, transfer: id, ...given });
      const start = from;
      try {
        const sent = (bytes: number): void => note(start + bytes);
        const token = await ports.token();
        if (signal.aborted) return;
        return await ports.wire.put(path, file, start, token, { sent, signal });
      } catch (error) {
        const waits = error instanceof ApiError && (await goesOn(error));
        if (signal.aborted) drop(place, id);
        if (!waits) throw error;
        const received = await ports
          .call(getTransfer, { params: { ...callParams(place), transfer: id } })
          .then(({ received: bytes }) => bytes)
          .catch((problem: unknown) => (problem instanceof ApiError && problem.code === 'not_found' ? null : start));
        from = received ?? 0;
        given = received === null ? leave : {};
      }
    }
  }
  /** One file of another server, through the gateway. */
  async function fetchOver(
    { transfer, place, signal }: Moving,
    from: Place,
    location: string,
    to: string,
    leave: Leave,
    note: Note,
  ) {
    const target = { nodeId: place.serverId, login: place.login, location: to };
    const body = { location, to: target, ...leave };
    const goesOn = patience(transfer, signal);
    const path = pathOf(copyFile, callParams(from));
    for (;;) {
      try {
        const token = await ports.token();
        if (signal.aborted) return;
        return await ports.wire.copy(path, JSON.stringify(body), token, { got: note, signal });
      } catch (error) {
        if (!(error instanceof ApiError) || !(await goesOn(error))) throw error;
      }
    }
  }
  /** Folders are made as they are met. What fails is left out; that is said once all the rest is there. */
  async function folder(
    moving: Moving,
    base: string,
    leave: Leave,
    parts: AsyncIterable<Part>,
    size?: number,
  ): Promise<void> {
    const { transfer, place, signal } = moving;
    const note = meter(transfer);
    let [gone, files, left] = [0, 0, 0];
    let first = '';
    if (size !== undefined) note(0, size);
    for await (const { path, go } of parts) {
      if (signal.aborted) return;
      files++;
      try {
        if (go === undefined) {
          await looks.makeFolder(place, path === '' ? base : pathIn(base, path), leave).catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.code !== 'exists') throw error;
          });
        } else {
          const before = gone;
          gone += await go(loaded => note(before + loaded));
          note(gone);
        }
      } catch (error) {
        if (signal.aborted) return;
        const why = error instanceof Error ? error.message : String(error);
        // Nothing of it can come where its own folder cannot be made.
        if (path === '') throw error;
        left++;
        first ||= `${shownName(path)}: ${why}`;
      }
    }
    if (left > 0) throw new Error(`${left} of ${files} were left out. ${first}`);
  }

  /** Waits for those in the session there, and for a touch. */
  const allowed = async ({ request, signal, touch }: Moving, place: Place): Promise<Leave> => ({
    ...(await ports.approval(place, request, signal)),
    ...(await touch()),
  });

  return {
    async get(moving: Moving, archive?: 'tar'): Promise<void> {
      const { transfer, place, signal, request } = moving;
      const leave = await allowed(moving, place);
      const path = scpPath(place, {
        location: request.location,
        transfer: transfer.id,
        ...(archive && { archive }),
        ...leave,
      });
      if (signal.aborted) return;
      const file = await ports.wire.get(path, {
        token: async () => ports.token(),
        got: meter(transfer),
        again: patience(transfer, signal),
        signal,
      });
      ports.save(file, transfer.name);
    },
    put: async (moving: Moving, file: File) =>
      put(
        moving,
        moving.transfer.id,
        file,
        moving.request.location,
        await allowed(moving, moving.place),
        meter(moving.transfer),
      ),
    copy: async (moving: Moving, from: Place, location: string, to: string) =>
      fetchOver(moving, from, location, to, await allowed(moving, from), meter(moving.transfer)),
    /** A folder of this computer with what is in it, below `base`. */
    async putFolder(moving: Moving, inner: readonly LocalPart[], base: string): Promise<void> {
      const leave = await allowed(moving, moving.place);
      async function* parts(): AsyncGenerator<Part> {
        yield { path: '' };
        for (const { path, file } of inner) {
          if (file === null) yield { path };
          else
            yield {
              path,
              async go(note) {
                await put(moving, crypto.randomUUID(), file, pathIn(base, path), leave, note);
                return file.size;
              },
            };
        }
      }
      return folder(
        moving,
        base,
        leave,
        parts(),
        inner.reduce((sum, { file }) => sum + (file?.size ?? 0), 0),
      );
    },
    /** A folder of another server. */
    async copyFolder(moving: Moving, from: Place, location: string, base: string): Promise<void> {
      const leave = await allowed(moving, from);
      async function* parts(path: string, depth: number): AsyncGenerator<Part> {
        yield { path };
        const at = path === '' ? location : pathIn(location, path);
        const { entries, whole } = await looks.list(from, at, '', leave);
        const refuse = (inner: string, why: string): Part => ({
          path: inner,
          go: () => Promise.reject(new Error(why)),
        });
        for (const { name, kind, size } of entries) {
          const inner = path === '' ? name : pathIn(path, name);
          if (kind === 'folder' && depth < DEPTH_MOST) yield* parts(inner, depth + 1);
          else if (kind === 'file')
            yield {
              path: inner,
              async go(note) {
                await fetchOver(moving, from, pathIn(location, inner), pathIn(base, inner), leave, note);
                return size;
              },
            };
          else
            yield refuse(inner, kind === 'folder' ? `it lies below ${DEPTH_MOST} folders` : 'it is no file or folder');
        }
        if (!whole) yield refuse(pathIn(path, '…'), `only the first ${entries.length} entries of its folder came`);
      }
      return folder(moving, base, leave, parts('', 0));
    },
  };
}

/** A transfer under way. `place`: where it ends; for a download where it comes from. */
export interface Moving {
  readonly transfer: Transfer;
  readonly place: Place;
  readonly signal: AbortSignal;
  /** What must be allowed. */
  readonly request: FileRequest;
  /** What its calls say of a touch. */
  readonly touch: () => Promise<Leave>;
}

// Looks at what a client of SFTP does while both ends speak to each other through here, and says so in the words of the audit log.
import type { FilesDeed, FilesWatch } from '../../../ports/files.ts';
import { type Cursor, createAssembly, kinds, openFlags, POSIX_RENAME, readPacket, statuses } from './packets.ts';

/** Requests that wait for an answer, and files that are open: whoever has more is no client of files. */
const WAITING_MOST = 10_000;
const OPEN_MOST = 10_000;
const SYMLINK = 20;
const HARD_LINK = 'hardlink@openssh.com';
/** Sets attributes without following links. */
const LINK_ATTRIBUTES = 'lsetstat@openssh.com';

interface Opened {
  readonly path: string;
  readonly isWritten: boolean;
  bytes: number;
  failed: string | undefined;
}
type Waiting = (kind: number, answer: Cursor, data: readonly Buffer[]) => void;

/** `did` hears of each deed once its outcome is known. Both ends throw RangeError for what is no SFTP. */
export function watchSftp(did: (deed: FilesDeed) => void): FilesWatch {
  const waiting = new Map<number, Waiting>();
  const open = new Map<string, Opened>();

  const outcome = (answer: Cursor): string | undefined => {
    const status = answer.uint32();
    if (status === statuses.ok || status === statuses.end) return undefined;
    return (answer.left > 4 && answer.string().toString()) || `SFTP status ${status}`;
  };
  const tells = (deed: Omit<FilesDeed, 'failed'>): Waiting => {
    return (kind, answer) => {
      const failed = kind === kinds.status ? outcome(answer) : undefined;
      did({ ...deed, ...(failed !== undefined && { failed }) });
    };
  };
  const text = (cursor: Cursor): string => cursor.string().toString();
  const openedBy = (cursor: Cursor): Opened | undefined => open.get(cursor.string().toString('latin1'));

  function close(handle: string, failed: string | undefined): void {
    const file = open.get(handle);
    if (!open.delete(handle) || !file) return;
    const why = file.failed ?? failed;
    did({
      action: file.isWritten ? 'upload' : 'download',
      path: file.path,
      size: file.bytes,
      ...(why !== undefined && { failed: why }),
    });
  }
  /** What a request is about; undefined: nothing that the log hears of. */
  function ask(kind: number, cursor: Cursor): Waiting | undefined {
    switch (kind) {
      case kinds.open: {
        const path = text(cursor);
        const isWritten = (cursor.uint32() & openFlags.write) !== 0;
        return (answered, answer) => {
          const failed = answered === kinds.status ? (outcome(answer) ?? 'it was not opened') : undefined;
          did({ action: 'open', path, ...(failed !== undefined && { failed }) });
          if (answered !== kinds.handle) return;
          if (open.size >= OPEN_MOST) throw new RangeError('too many files are open');
          open.set(answer.string().toString('latin1'), { path, isWritten, bytes: 0, failed: undefined });
        };
      }
      case kinds.close: {
        const handle = cursor.string().toString('latin1');
        return (_kind, answer) => close(handle, outcome(answer));
      }
      case kinds.read: {
        const file = openedBy(cursor);
        return (
          file &&
          ((answered, answer, data) => {
            if (answered === kinds.data) file.bytes += data.reduce((sum, piece) => sum + piece.length, 0);
            else file.failed ??= outcome(answer);
          })
        );
      }
      case kinds.write: {
        const file = openedBy(cursor);
        if (!file) return undefined;
        cursor.bigint();
        file.bytes += cursor.uint32();
        return (_kind, answer) => {
          file.failed ??= outcome(answer);
        };
      }
      case kinds.opendir:
        return tells({ action: 'list', path: text(cursor) });
      case kinds.remove:
        return tells({ action: 'remove', path: text(cursor) });
      case kinds.mkdir:
        return tells({ action: 'makeFolder', path: text(cursor) });
      case kinds.rmdir:
        return tells({ action: 'removeFolder', path: text(cursor) });
      case kinds.rename:
        return tells({ action: 'rename', path: text(cursor), to: text(cursor) });
      case kinds.setstat:
        return tells({ action: 'change', path: text(cursor) });
      case SYMLINK: {
        // OpenSSH has these two the other way round than the draft: first what it leads to.
        const to = text(cursor);
        return tells({ action: 'symlink', path: text(cursor), to });
      }
      case kinds.extended: {
        const name = text(cursor);
        if (name === POSIX_RENAME) return tells({ action: 'rename', path: text(cursor), to: text(cursor) });
        if (name === HARD_LINK) return tells({ action: 'link', path: text(cursor), to: text(cursor) });
        if (name === LINK_ATTRIBUTES) return tells({ action: 'change', path: text(cursor) });
        return undefined;
      }
      default:
        return undefined;
    }
  }
  const fromClient = createAssembly(packet => {
    const cursor = readPacket(packet);
    const kind = cursor.byte();
    if (kind === kinds.init) return;
    const id = cursor.uint32();
    const wait = ask(kind, cursor);
    if (!wait) return;
    if (waiting.size >= WAITING_MOST) throw new RangeError('too many requests wait for an answer');
    waiting.set(id, wait);
  });
  const fromServer = createAssembly((packet, data) => {
    const cursor = readPacket(packet);
    const kind = cursor.byte();
    if (kind === kinds.version) return;
    const id = cursor.uint32();
    const wait = waiting.get(id);
    if (!waiting.delete(id) || !wait) return;
    wait(kind, cursor, data);
  });
  return {
    fromClient,
    fromServer,
    end() {
      for (const handle of [...open.keys()]) close(handle, 'it was broken off');
    },
  };
}

// What others have approved, or one touch has proven, of what is done with files: each file once, and nothing that was not named.
import type { FileRequest } from '../../../../contract/terminal.ts';

/** Files of one scope that may be done; what was done is remembered until it is gone. */
const DONE_MOST = 100_000;

/** Where files are, and as whom. */
export interface FilePlace {
  readonly serverId: string;
  readonly login: string;
}
/** Something that is about to be done in a place: a file copied, moved or removed, a folder looked through or made. */
export interface FileAct extends FilePlace {
  readonly does: 'copy' | 'look' | 'makeFolder' | 'move' | 'remove';
  readonly transfer: FileRequest;
}
/** It may be done. */
export interface Granted {
  /** The folder in which it must lie, once its host has said where that is; absent: it is what was named itself. */
  readonly within?: string;
  /** The same of where it is copied to. */
  readonly toWithin?: string;
}
export interface Scope {
  /** Null where it does not cover that, or no longer. */
  take(act: FileAct): Granted | null;
  /** All that it covers is done. */
  readonly isSpent: boolean;
}

const isAt = (one: FilePlace, other: FilePlace): boolean =>
  one.serverId === other.serverId && one.login === other.login;
const targetOf = ({ to }: FileRequest): FilePlace | null => (to ? { serverId: to.nodeId, login: to.login } : null);
const keyOf = ({ download, location, filename, reach, act, to }: FileRequest): string =>
  JSON.stringify([
    download,
    location,
    filename,
    reach ?? '',
    act ?? '',
    to ? [to.nodeId, to.login, to.location] : null,
  ]);

/** What a request grants of an act, whatever was done before. */
function grants(request: FileRequest, place: FilePlace, { does, transfer, ...at }: FileAct): Granted | null {
  const { reach, to, download, location } = request;
  const target = targetOf(request);
  const isHere = isAt(place, at);
  const isWhole = reach === 'folder';
  // What moves or removes is that alone: leave to copy a folder is no leave to empty it.
  if (request.act !== undefined)
    return isHere && does === request.act && keyOf(request) === keyOf(transfer) ? {} : null;
  switch (does) {
    case 'move':
    case 'remove':
      return null;
    case 'look':
      return isHere && download && (reach === 'look' || isWhole) ? { within: location } : null;
    case 'makeFolder':
      if (!isWhole) return null;
      if (to && target) return isAt(target, at) ? { within: to.location } : null;
      return isHere && !download ? { within: location } : null;
    case 'copy': {
      if (!isHere) return null;
      if (keyOf(request) === keyOf(transfer)) return {};
      const ends = targetOf(transfer);
      if (!isWhole || transfer.download !== download || (target === null) !== (ends === null)) return null;
      if (!to || !target || !ends) return { within: location };
      return isAt(target, ends) ? { within: location, toWithin: to.location } : null;
    }
  }
}

export function createScope(requests: readonly FileRequest[], place: FilePlace): Scope {
  const done = new Set<string>();
  return {
    take(act) {
      for (const request of requests) {
        const granted = grants(request, place, act);
        if (granted === null) continue;
        if (act.does === 'look' || act.does === 'makeFolder') return granted;
        const key = keyOf(act.transfer);
        if (done.has(key) || done.size >= DONE_MOST) continue;
        done.add(key);
        return granted;
      }
      return null;
    },
    get isSpent() {
      return requests.every(request => request.reach === undefined && done.has(keyOf(request)));
    },
  };
}

// File transfers of this console that wait for the others in their session: each goes on once it was approved.
import type { FileEvent } from '../../client/terminal-frames.ts';
import { shownName } from '../../contract/files.ts';
import type { FileRequest } from '../../contract/terminal.ts';

/** What is asked for, in words that stand behind "Approve the" and "Your". */
export function requestText({ download, location, filename, reach, act, to }: Omit<FileEvent, 'event'>): string {
  const what = `${reach === 'folder' ? 'folder ' : ''}${shownName(location)}${reach === 'folder' ? ' with all that is in it' : ''}`;
  if (act === 'remove') return `removal of ${shownName(location)}, with all that is in it if it is a folder`;
  if (act === 'move') return `move of ${what} to ${shownName(to?.location ?? '')}`;
  if (to) return `copy of ${what} to ${shownName(to.location)} on ${to.login}@${to.hostname}`;
  if (reach === 'look') return `look through ${shownName(location)} and all that is below it`;
  if (download) return `download of ${what}`;
  if (reach === 'folder') return `upload of ${what}`;
  return `upload of ${filename === '' ? what : `${shownName(filename)} to ${what}`}`;
}

export interface Approvals {
  /** The request's id, once it was approved. Rejects with a sentence when it was denied, or the session is gone. */
  ask(transfer: FileRequest, signal: AbortSignal): Promise<string>;
  /** What the session tells; `user` is the person at this console. */
  hear(told: FileEvent, user: string): void;
  /** The session is gone, and what was asked in it. */
  lost(): void;
}
interface Waiting {
  readonly transfer: FileRequest;
  readonly done: (id: string) => void;
  readonly fail: (why: Error) => void;
  /** '' until the session has named it. */
  id: string;
}

export function createApprovals(session: {
  readonly ask: (transfer: FileRequest) => void;
  readonly takeBack: (id: string) => void;
}): Approvals {
  let waiting: Waiting[] = [];
  const leave = (one: Waiting): void => {
    waiting = waiting.filter(other => other !== one);
  };
  const isOf = ({ transfer }: Waiting, told: FileEvent): boolean =>
    transfer.download === told.download &&
    transfer.location === told.location &&
    transfer.filename === told.filename &&
    transfer.reach === told.reach &&
    transfer.act === told.act &&
    transfer.to?.location === told.to?.location;
  return {
    ask: (transfer, signal) =>
      new Promise((done, fail) => {
        const one: Waiting = { transfer, done, fail, id: '' };
        waiting.push(one);
        signal.addEventListener('abort', () => {
          leave(one);
          if (one.id !== '') session.takeBack(one.id);
          fail(new Error('The file transfer request was taken back'));
        });
        session.ask(transfer);
      }),
    hear(told, user) {
      if (told.requester !== user) return;
      const one =
        waiting.find(({ id }) => id === told.requestID) ?? waiting.find(each => each.id === '' && isOf(each, told));
      if (!one) return;
      one.id = told.requestID;
      if (told.event === 'file_transfer_request') return;
      leave(one);
      if (told.event === 'file_transfer_request_approve') one.done(one.id);
      else one.fail(new Error(told.message || 'The file transfer was denied by a moderator'));
    },
    lost() {
      for (const { fail } of waiting.splice(0))
        fail(new Error('The session that was asked for this file transfer is gone'));
    },
  };
}

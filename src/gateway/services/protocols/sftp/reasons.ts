// The sentences that say what a host would not do with a file.
import { Failure, type FailureCode } from '../../../../contract/failure.ts';
import { statuses } from './packets.ts';

/** What was asked for, and where. `path` as people read it. */
export interface Place {
  readonly hostname: string;
  readonly login: string;
  readonly path: string;
}

/** By what the system calls it. OpenSSH says "Failure" for most of them; this machine names them. */
const words: Readonly<Record<string, readonly [FailureCode, (place: Place) => string]>> = {
  ENOSPC: ['too_large', ({ hostname, path }) => `There is no space left on ${hostname} for ${path}.`],
  EDQUOT: [
    'too_large',
    ({ hostname, login, path }) => `The quota of ${login} on ${hostname} has no room left for ${path}.`,
  ],
  EFBIG: ['too_large', ({ hostname, path }) => `${hostname} takes no file as large as ${path}.`],
  EEXIST: ['exists', ({ hostname, path }) => `There is already something named ${path} on ${hostname}.`],
  ENOTEMPTY: ['bad_request', ({ path }) => `The folder ${path} is not empty.`],
  ENOTDIR: [
    'bad_request',
    ({ hostname, path }) => `${path} on ${hostname} is not a folder, or lies below something that is none.`,
  ],
  EISDIR: ['bad_request', ({ hostname, path }) => `${path} on ${hostname} is a folder.`],
  ENAMETOOLONG: ['bad_request', ({ hostname }) => `The name is longer than ${hostname} allows.`],
  ELOOP: ['bad_request', ({ hostname, path }) => `The links of ${path} on ${hostname} lead in a ring.`],
  DEADLINK: [
    'bad_request',
    ({ hostname, path }) => `${path} on ${hostname} is a link that leads to nothing, or in a ring.`,
  ],
  EROFS: ['denied', ({ hostname, path }) => `${path} on ${hostname} is on a file system that can only be read.`],
  EXDEV: ['bad_request', ({ hostname, path }) => `${path} is on another file system of ${hostname}: copy it instead.`],
};

/** A host that says no more than that it failed. */
export class Unexplained extends Failure {}

/** The failure behind an SFTP status. `said`: the host's own words. */
export function failureOf(place: Place, status: number, said: string): Failure {
  const { hostname, login, path } = place;
  if (status === statuses.missing) return new Failure('not_found', `There is no ${path} on ${hostname}.`);
  if (status === statuses.denied)
    return new Failure('denied', `${hostname} does not allow ${login} to do this with ${path} (permission denied).`);
  if (status === statuses.unsupported) return new Failure('unsupported', `${hostname} cannot do this with ${path}.`);
  // So OpenSSH calls it.
  const known = words[status === statuses.badMessage ? 'ENAMETOOLONG' : said];
  if (known) return new Failure(known[0], known[1](place));
  const could = `${hostname} could not do this with ${path}`;
  if (/^(failure)?$/i.test(said)) return new Unexplained('bad_request', `${could}: it gives no reason.`);
  return new Failure('bad_request', `${could}: ${said.replace(/[\p{Cc}]+/gu, ' ').slice(0, 200)}.`);
}

/** A write that failed without a reason on a disk that has room: what OpenSSH answers to a quota too, so no more can be known here. */
export const noRoomFailure = ({ hostname, login, path }: Place): Failure =>
  new Failure(
    'bad_request',
    `${hostname} stopped writing ${path} and gives no reason. Its disk has room: a quota of ${login} or a limit on the size of files would stop it so.`,
  );

/** The host is gone in the middle of it. */
export const lostFailure = (hostname: string): Failure =>
  new Failure('unreachable', `The connection for files to ${hostname} was lost, or the host offers no SFTP.`);

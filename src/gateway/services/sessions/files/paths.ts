// Paths and names as they are given from outside. What a login may reach is its host's to say; what cannot be a path is refused here.
import { Failure } from '../../../../contract/failure.ts';

/** Longest path and name that a host takes, bytes. */
const PATH_MOST_BYTES = 4096;
const NAME_MOST_BYTES = 255;

/** A path as SFTP takes it: `~` is where the login begins. Throws Failure bad_request. */
export function pathOf(location: string): string {
  if (location === '') throw wrong('location', 'give a path');
  if (location.includes('\0')) throw wrong('location', 'a path holds no NUL byte');
  if (Buffer.byteLength(location) > PATH_MOST_BYTES) throw wrong('location', `at most ${PATH_MOST_BYTES} bytes`);
  return location === '~' ? '.' : location.startsWith('~/') ? `./${location.slice(2)}` : location;
}

/** A name within a folder. Throws Failure bad_request. */
export function nameOf(filename: string): string {
  if (filename === '' || filename === '.' || filename === '..' || /[/\0]/.test(filename))
    throw wrong('filename', 'give the name of a file, without a slash');
  if (Buffer.byteLength(filename) > NAME_MOST_BYTES) throw wrong('filename', `at most ${NAME_MOST_BYTES} bytes`);
  return filename;
}

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const below = (folder: string, name: string): string => `${folder.replace(/\/+$/, '')}/${name}`;

const wrong = (field: string, allowed: string): Failure =>
  new Failure('bad_request', `${field}: ${allowed}`, { [field]: allowed });

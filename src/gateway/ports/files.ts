// The files of a host as one login sees them.
import type { OpenRequest, Target } from './servers.ts';

/** What is known of something that has a name on a host. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Permissions, the lower twelve bits of stat(2). */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly modified: Date;
}

/** A file that is being written. */
export interface FileWriter {
  readonly facts: FileFacts;
  /** Resolves when there is room for more; bytes are the host's when `end` resolves. Copies nothing: leave the memory alone until then. */
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the host has all and the file is closed. Throws what any write failed with. */
  end(): Promise<void>;
}

/**
 * The files of a host as one login sees them. Paths are text as the protocol's `names.ts` has it; those that do not begin with `/` are
 * taken from the login's home. What fails throws Failure with a sentence that names the host and the path.
 */
export interface HostFiles {
  /** The path without links, `.` and `..`. */
  resolve(path: string): Promise<string>;
  /** Follows links. */
  facts(path: string): Promise<FileFacts>;
  /** Of a link itself. */
  itself(path: string): Promise<FileFacts>;
  /** Entries in the host's order, some at a time; links are not followed. */
  list(path: string): AsyncGenerator<readonly (FileFacts & { readonly name: string })[], void>;
  /** Where a link leads, as it says itself. */
  target(path: string): Promise<string>;
  /** Bytes of a file in order from one place to another. */
  read(path: string, from: number, to: number): AsyncGenerator<Buffer, void>;
  /** `new` fails where something has that name; `over` empties the file that is there; `on` keeps it, and writes from `at`. */
  write(
    path: string,
    how: { readonly as: 'new' | 'over' | 'on'; readonly mode: number; readonly at: number },
  ): Promise<FileWriter>;
  /** Permissions and owner. */
  change(path: string, to: Partial<Pick<FileFacts, 'mode' | 'uid' | 'gid'>>): Promise<void>;
  makeFolder(path: string): Promise<void>;
  removeFile(path: string): Promise<void>;
  /** Only an empty one. */
  removeFolder(path: string): Promise<void>;
  /** `replace`: what has the new name makes room, in one step where the host knows how. */
  rename(from: string, to: string, replace: boolean): Promise<void>;
  /** Hangs up. Calling it again does nothing. */
  close(): void;
  /** Resolves once the host cannot be asked any more. */
  readonly closed: Promise<void>;
}

/** Reaches the files of servers: SSH and this machine each implement it. Throws ConnectError. */
export interface FilesConnector {
  files(target: Target, request: Omit<OpenRequest, 'size'>): Promise<HostFiles>;
}

/** Something that a client of files has done, or could not do. */
export interface FilesDeed {
  readonly action:
    | 'download'
    | 'upload'
    | 'open'
    | 'list'
    | 'remove'
    | 'makeFolder'
    | 'removeFolder'
    | 'rename'
    | 'change'
    | 'symlink'
    | 'link';
  readonly path: string;
  readonly to?: string;
  /** Bytes that went. */
  readonly size?: number;
  /** Why it was not done. */
  readonly failed?: string;
}
/** Sees what both ends of a conversation about files say. Throws RangeError for what is none. */
export interface FilesWatch {
  fromClient(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
  /** The conversation is over: what is still open was broken off. */
  end(): void;
}

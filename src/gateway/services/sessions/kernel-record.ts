// What a prepared server's kernel wrote down of one session, as its audit log has it: a line for each call of a program (SYSCALL), and more
// with the arguments of one that was to start (EXECVE), the file that was opened (CWD, PATH) or the address that was connected to (SOCKADDR).
import { SocketAddress } from 'node:net';
import { posix } from 'node:path';

interface KernelCall {
  readonly time: Date;
  readonly pid: number;
  readonly ppid: number;
  readonly program: string;
  /** What the call answered, or the error number with a minus. */
  readonly returnCode: number;
}
/** A program that was started. */
export interface KernelCommand extends KernelCall {
  readonly path: string;
  readonly argv: readonly string[];
}
/** A file that was opened, or was to be. */
export interface KernelFile extends KernelCall {
  readonly path: string;
  /** As open(2) has them; 0 where they are not told. */
  readonly flags: number;
}
/** An address that was connected to, or was to be. */
export interface KernelConnection extends KernelCall {
  readonly address: string;
  readonly port: number;
  /** Of IP. */
  readonly version: 4 | 6;
}
export interface KernelRecord {
  readonly commands: readonly KernelCommand[];
  readonly files: readonly KernelFile[];
  readonly connections: readonly KernelConnection[];
  /** There were more, which are left out. */
  readonly isPart: boolean;
}

/** Of each kind, kept of one session: each is an event of the audit log. */
const KEPT_MOST = 1000;
const ARGUMENTS_MOST = 100;
const ARGUMENT_MOST_CHARACTERS = 4096;
/** "No such file": a path that was tried on the way to the program. */
const NOT_THERE = -2;

/** A value as the audit log writes it: in quotes, or in hexadecimal where it holds anything odd. */
function textOf(text: string | undefined): string {
  if (text === undefined) return '';
  if (text.startsWith('"')) return text.slice(1, -1);
  return /^(?:[0-9A-F]{2})+$/.test(text) ? Buffer.from(text, 'hex').toString('utf8') : text;
}

/** `name=value` pairs; what the host adds in words of its own (behind a group separator) is left out. */
const fieldsOf = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...(line.split('\u001d', 1)[0] ?? '').matchAll(/([\w[\]]+)=("[^"]*"|\S*)/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  );

function argumentsOf(fields: ReadonlyMap<string, string>): readonly string[] {
  const count = Math.min(ARGUMENTS_MOST, Number(fields.get('argc')) || 0);
  return Array.from({ length: count }, (_, at) => {
    let text = textOf(fields.get(`a${at}`));
    // A long one comes in pieces.
    for (let piece = 0; fields.has(`a${at}[${piece}]`) && text.length < ARGUMENT_MOST_CHARACTERS; piece++)
      text += textOf(fields.get(`a${at}[${piece}]`));
    return text.slice(0, ARGUMENT_MOST_CHARACTERS);
  });
}

/**
 * Reads what the server answered: its clock, then for each log-in `since=` and the lines of the audit log. `now` is this gateway's time when the
 * first of it came: the server's clock may be another. What ran before `since` was the log-in's own doing. Null: it is no such answer.
 */
export function readKernelRecord(text: string, now: Date): KernelRecord | null {
  const [clock = '', ...lines] = text.split('\n');
  if (!/^\d+\.\d{3}$/.test(clock)) return null;
  const ahead = Number(clock) * 1000 - now.getTime();
  const found = new Map<string, Line[]>();
  let since = 0;
  for (const line of lines) {
    const [, begin] = /^since=(\d+\.\d{3})$/.exec(line) ?? [];
    if (begin !== undefined) since = Number(begin);
    const [, time, serial] =
      /^type=(?:SYSCALL|EXECVE|CWD|PATH|SOCKADDR) msg=audit\((\d+\.\d{3}):(\d+)\):/.exec(line) ?? [];
    if (time === undefined || Number(time) <= since) continue;
    const id = `${time}:${serial}`;
    const of = found.get(id) ?? [];
    if (of.length < LINES_MOST) {
      of.push(fieldsOf(line));
      found.set(id, of);
    }
  }
  const commands: KernelCommand[] = [];
  const files: KernelFile[] = [];
  const connections: KernelConnection[] = [];
  for (const [id, [call, ...rest]] of found) {
    const returnCode = Number(call?.get('exit'));
    if (call === undefined || !call.has('pid') || returnCode === NOT_THERE) continue;
    const made = {
      time: new Date(Math.round(Number.parseFloat(id) * 1000 - ahead)),
      pid: Number(call.get('pid')),
      ppid: Number(call.get('ppid')),
      program: textOf(call.get('comm')),
      returnCode,
    };
    const key = textOf(call.get('key'));
    if (key === 'postern-network') {
      const address = addressOf(rest);
      if (address) connections.push({ ...made, ...address });
    } else if (key === 'postern-disk') {
      const path = openedPath(call, rest);
      if (path !== null) files.push({ ...made, path, flags: openFlags(call) });
    } else {
      const path = textOf(call.get('exe'));
      const argv = argumentsOf(new Map(rest.flatMap(fields => [...fields])));
      commands.push({ ...made, path, argv: argv.length > 0 ? argv : [path] });
    }
  }
  return {
    commands: first(commands),
    files: first(files),
    connections: first(connections),
    isPart: [commands, files, connections].some(({ length }) => length > KEPT_MOST),
  };
}

type Line = ReadonlyMap<string, string>;
/** Lines of one call: as many as its longest arguments need. */
const LINES_MOST = 1000;

const first = <One extends KernelCall>(all: One[]): readonly One[] =>
  all.sort((one, other) => one.time.getTime() - other.time.getTime()).slice(0, KEPT_MOST);

/** Numbers of calls differ between kinds of processors: those of x86-64, whose older calls have their flags elsewhere. */
const X86_64 = 'c000003e';
const [OPEN, CREAT, OPENAT2] = ['2', '85', '437'];
/** Of a call that is told to write a file that need not be there (open(2)): O_WRONLY, O_CREAT and O_TRUNC. */
const CREAT_FLAGS = 0o1101;
function openFlags(call: Line): number {
  const number = call.get('syscall');
  const flag = (name: string): number => Number.parseInt(call.get(name) ?? '', 16) || 0;
  // Its flags are in memory, which the kernel does not tell.
  if (number === OPENAT2) return 0;
  if (call.get('arch') !== X86_64) return flag('a2');
  if (number === CREAT) return CREAT_FLAGS;
  return flag(number === OPEN ? 'a1' : 'a2');
}

/** Null where the kernel names none. Relative to a folder that is held open, it stays as the program said it. */
function openedPath(call: Line, rest: readonly Line[]): string | null {
  const named = rest.findLast(line => line.has('nametype') && line.get('nametype') !== 'PARENT');
  const path = textOf(named?.get('name'));
  if (path === '' || path === '(null)') return null;
  const folder = textOf(rest.find(line => line.has('cwd'))?.get('cwd'));
  const isFromThere = call.get('syscall') === OPEN || AT_HERE.test(call.get('a0') ?? '');
  const full = path.startsWith('/') || folder === '' || !isFromThere ? path : posix.join(folder, path);
  return full.slice(0, ARGUMENT_MOST_CHARACTERS);
}
/** "Relative to where the program is", -100 of 32 or 64 bits. */
const AT_HERE = /^f*ffffff9c$/;

const HEAD = { ipv4: 8, ipv6: 24 };
function addressOf(rest: readonly Line[]): Pick<KernelConnection, 'address' | 'port' | 'version'> | null {
  const bytes = Buffer.from(rest.find(line => line.has('saddr'))?.get('saddr') ?? '', 'hex');
  const family = bytes[0];
  if (family === 2 && bytes.length >= HEAD.ipv4)
    return { address: [...bytes.subarray(4, 8)].join('.'), port: bytes.readUInt16BE(2), version: 4 };
  if (family !== 10 || bytes.length < HEAD.ipv6) return null;
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(8 + 2 * at).toString(16));
  // As it is written mostly: the parser of addresses shortens it.
  const { address } = new SocketAddress({ address: groups.join(':'), family: 'ipv6' });
  return { address, port: bytes.readUInt16BE(2), version: 6 };
}

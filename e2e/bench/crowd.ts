// Many live sessions on one gateway, beside the same load on bare ptys: what typing is like in a crowd, and whether every byte arrives.
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import { residentBytes } from './memory.ts';
import { percentile, type Row } from './row.ts';
import { allowManySessions } from './socket.ts';
import { afterMark, begin, echoCommand, type Line } from './ssh.ts';
import { openCountingShell } from './wire.ts';

const SESSIONS = 500;
const TYPING = 100;
const PRINTING = 20;
const WATCHED = 200;
const AT_ONCE = 10;
const SETTLE_MS = 3_000;

/** Five keys a second, by everybody who types: 500 a second in all. */
const KEY_EVERY_MS = 200;
const KEYS = 100;
/** Ten times a second a piece of whole lines: 0.4 MB/s, by everybody who prints. */
const LINE_BYTES = 80;
const PIECE_LINES = 500;
const PIECES = 200;
/** Everything has arrived by then, or it is lost. */
const ARRIVES_WITHIN_MS = 120_000;

const key = (index: number): number => 0x61 + (index % 26);
const printCommand = `${begin}; exec perl -e '$| = 1; for my $n (0..${PIECES - 1}) { print map { sprintf "%0${LINE_BYTES - 1}d\\n", $n * ${PIECE_LINES} + $_ } 1..${PIECE_LINES}; select undef, undef, undef, 0.1 } sleep 600'`;

/** What each kind of session prints after the mark: how much, and its hash. */
function expectedOf(pieces: Iterable<Uint8Array | string>): { readonly bytes: number; readonly hash: string } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, hash: hash.digest('hex') };
}
const echoed = expectedOf([Uint8Array.from({ length: KEYS }, (_, index) => key(index))]);
const printed = expectedOf(
  Array.from({ length: PIECE_LINES * PIECES }, (_, index) => `${String(index + 1).padStart(LINE_BYTES - 1, '0')}\n`),
);

/** Whether what comes after the mark is just this; `heard` has the count of bytes of each piece. */
function arrival(
  line: Pick<Line, 'onOutput'>,
  expected: typeof echoed,
  begun: () => void = () => undefined,
  heard: (bytes: number) => void = () => undefined,
): Promise<boolean> {
  return new Promise(done => {
    const hash = createHash('sha256');
    let bytes = 0;
    afterMark(line, begun, piece => {
      if (bytes >= expected.bytes) return;
      bytes += piece.length;
      hash.update(piece);
      heard(piece.length);
      if (bytes >= expected.bytes) done(hash.digest('hex') === expected.hash);
    });
  });
}

/** Types at its own pace, whatever has come back. Answers whether just that came back, and how long each key took, ms. */
async function type(line: Line): Promise<{ readonly isWhole: boolean; readonly times: readonly number[] }> {
  const sent: number[] = [];
  const times: number[] = [];
  const press = (): void => {
    sent.push(performance.now());
    line.write(Buffer.of(key(sent.length - 1)));
    if (sent.length < KEYS) setTimeout(press, KEY_EVERY_MS);
  };
  const isWhole = await arrival(
    line,
    echoed,
    () => void setTimeout(press, Math.random() * KEY_EVERY_MS),
    bytes => {
      const now = performance.now();
      for (let count = 0; count < bytes; count++) times.push(now - (sent[times.length] ?? Number.NaN));
    },
  );
  return { isWhole, times };
}

/** Somebody's line, and those of whoever watches it. */
interface Seat {
  readonly line: Line;
  readonly watching: readonly Pick<Line, 'onOutput'>[];
}
interface Load {
  /** Milliseconds of each key. */
  readonly echo: readonly number[];
  /** Lines whose bytes were not just those that were printed, and all lines. */
  readonly wrong: number;
  readonly lines: number;
  /** MB/s of all that print together. */
  readonly rate: number;
}

/** The same for shells of a gateway and bare ones: the first type, the next print, and the rest wait at their prompt. */
async function load(seats: readonly Seat[]): Promise<Load> {
  const typed: Promise<{ readonly isWhole: boolean; readonly times: readonly number[] }>[] = [];
  const others: Promise<boolean>[] = [];
  const began = performance.now();
  let printedBy = 0;
  for (const [at, { line, watching }] of seats.slice(0, TYPING + PRINTING).entries()) {
    const isTyping = at < TYPING;
    for (const watcher of watching) others.push(arrival(watcher, isTyping ? echoed : printed));
    if (isTyping) typed.push(type(line));
    else
      others.push(
        arrival(line, printed).then(isWhole => {
          printedBy = performance.now();
          return isWhole;
        }),
      );
    line.write(Buffer.from(`${isTyping ? echoCommand : printCommand}\r`));
  }
  const late = Symbol('late');
  const inTime = async <Value>(promises: readonly Promise<Value>[]): Promise<(Value | typeof late)[]> => {
    const limit = wait(ARRIVES_WITHIN_MS, late, { ref: false });
    return Promise.all(promises.map(promise => Promise.race([promise, limit])));
  };
  const [keys, rest] = await Promise.all([inTime(typed), inTime(others)]);
  const echo = keys.flatMap(one => (one === late ? [] : one.times));
  const wrong =
    keys.filter(one => one === late || !one.isWhole).length + rest.filter(isWhole => isWhole !== true).length;
  const rate = (PRINTING * printed.bytes) / 1e3 / (printedBy - began);
  return { echo, wrong, lines: keys.length + rest.length, rate };
}

/** Opens so many, a few at a time. */
async function openAll<Value>(count: number, open: (at: number) => Promise<Value>): Promise<readonly Value[]> {
  const opened: Value[] = [];
  while (opened.length < count) {
    const from = opened.length;
    opened.push(
      ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => open(from + index)))),
    );
  }
  return opened;
}

/** The load on ptys without any gateway, each a thread of this process as it is there. */
async function onBarePtys(): Promise<Load> {
  const ptys = await openAll(SESSIONS, async () => spawn('/bin/sh', [], { cols: 80, rows: 24, encoding: null }));
  try {
    await wait(SETTLE_MS);
    return await load(
      ptys.map(pty => ({
        line: {
          write: bytes => pty.write(Buffer.from(bytes).toString()),
          // Its type says text, which it is not where it has no encoding.
          onOutput: listener => void pty.onData(bytes => listener(bytes as unknown as Uint8Array)),
        },
        watching: [],
      })),
    );
  } finally {
    for (const pty of ptys) pty.kill('SIGKILL');
  }
}

/** Gives the right to watch, beside the many sessions. */
async function crowdOf(url: string, user: string): Promise<WireClient> {
  const client = await signIn(url, user, PASSWORD);
  const allow = 'join_sessions: [{name: crowd, roles: ["*"], kinds: [ssh], modes: [observer]}]';
  await allowManySessions(client, user, allow);
  return client;
}

/** Rows of the speed table. Takes about two minutes. */
export async function benchCrowd(): Promise<readonly Row[]> {
  const bare = await onBarePtys();
  // These lines answer no ping: on a busy machine the first would be dropped as silent before the last has been opened.
  const gateway = await openGateway({ flags: ['--terminal-keep-alive', '10m'] });
  try {
    const client = await crowdOf(gateway.directUrl, await acceptInvite(gateway.directUrl, gateway.invite(), PASSWORD));
    const { items } = (await client.call('GET', `sites/${client.cluster}/nodes`)) as { items: { id: string }[] };
    const place = { server_id: items[0]?.id ?? '', login: userInfo().username };
    const open = (of: { readonly sid?: string; readonly mode?: string } = {}) =>
      openCountingShell(gateway.directUrl, client, { ...place, ...of });
    const seats = await openAll(SESSIONS, async at => {
      const line = await open();
      const watching = at < WATCHED ? [await open({ sid: line.sid, mode: 'observer' })] : [];
      return { line, watching };
    });
    await wait(SETTLE_MS);
    const idle = await residentBytes(gateway.pid);
    const seen = await load(seats);
    const busy = await residentBytes(gateway.pid);
    const ms = ({ echo }: Load): string => `${percentile(echo, 50).toFixed(1)} / ${percentile(echo, 99).toFixed(1)} ms`;
    const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
    return [
      {
        what: `${SESSIONS} live sessions, ${TYPING} typing, ${PRINTING} printing, ${WATCHED} watched: key echo, p50 / p99`,
        target: 'p99 ≤ 30 ms, or ≤ 1.5 × bare ptys',
        measured: ms(seen),
        reference: `bare ptys, nobody watching: ${ms(bare)}`,
      },
      {
        what: 'the same: lines whose bytes are not just those printed',
        target: '0',
        measured: `${seen.wrong} of ${seen.lines}, at ${seen.rate.toFixed(1)} MB/s printed`,
        reference: `bare ptys: ${bare.wrong} of ${bare.lines}, at ${bare.rate.toFixed(1)} MB/s`,
      },
      {
        what: 'the same: memory of the gateway',
        target: '≤ 400 MB',
        measured: megabytes(busy),
        reference: `before anybody typed: ${megabytes(idle)}`,
      },
    ];
  } finally {
    await gateway.dispose();
  }
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame, type FrameType } from '../contract/envelope.ts';
import { ApiError } from '../contract/failure.ts';
import type { TerminalParams } from '../contract/terminal.ts';
import { type ConnectionState, GONE_TEXT, type Refusal } from './reconnection.ts';
import { openTerminalConnection } from './terminal-connection.ts';
import type { Socket, TerminalConnectionEvents, TerminalConnectionPorts } from './terminal-ports.ts';

const encoder = new TextEncoder();
const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** A socket that the test speaks through. */
class ScriptedSocket implements Socket {
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null = null;
  readonly sent: { type: FrameType; text: string }[] = [];
  readonly bufferedAmount = 0;
  closedWith: number | undefined | null = null;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  send(data: Uint8Array): void {
    const { type, payload } = decodeFrame(data);
    this.sent.push({ type, text: new TextDecoder().decode(payload) });
  }
  close(code?: number): void {
    this.closedWith = code;
  }
  get params(): TerminalParams & { have?: number } {
    return JSON.parse(new URL(this.url).searchParams.get('params') ?? '');
  }
  frame(type: FrameType, payload: Uint8Array): void {
    this.onmessage?.({ data: encodeFrame(type, payload).buffer });
  }
  session(offset: number, fresh: boolean, id = 's1'): void {
    this.onopen?.();
    this.frame(
      's',
      json({
        session: { id, login: 'root', server_id: 'n1', server_hostname: 'db-3' },
        output: { offset, fresh },
        recording: 'strict',
      }),
    );
  }
  print(text: string): void {
    this.frame('r', encoder.encode(text));
  }
  fail(code: number, reason = ''): void {
    this.onclose?.({ code, reason });
  }
  texts(type: FrameType): string[] {
    return this.sent.filter(frame => frame.type === type).map(frame => frame.text);
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** A connection with a clock that stands until it is moved. */
interface Answers {
  readonly why?: () => Refusal;
  readonly token?: () => string;
  readonly giveUpAfterMs?: number;
  readonly prove?: NonNullable<TerminalConnectionEvents['prove']>;
}

function scripted(params: Partial<TerminalParams> = {}, answers: Answers = {}) {
  const sockets: ScriptedSocket[] = [];
  const timers: { at: number; run: () => void }[] = [];
  let now = 1000;
  let wake = (): void => {};
  let tokens = 0;
  const ports: TerminalConnectionPorts = {
    address: (given, token) =>
      `ws://gateway/connect?access_token=${token}&params=${encodeURIComponent(JSON.stringify(given))}`,
    token: () => answers.token?.() ?? `token${++tokens}`,
    connect(url) {
      const socket = new ScriptedSocket(url);
      sockets.push(socket);
      return socket;
    },
    explainRefusal: async () => answers.why?.() ?? { status: 0, text: 'The gateway cannot be reached' },
    clock: {
      now: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer) >>> 0, 1);
      },
    },
    onWake(run) {
      wake = run;
      return () => {
        wake = () => {};
      };
    },
  };
  const states: ConnectionState[] = [];
  const heard = {
    screen: '',
    resets: 0,
    ends: [] as number[],
    sizes: [] as string[],
    parties: [] as string[],
    notices: [] as string[],
  };
  const connection = openTerminalConnection({
    params: { server_id: 'n1', login: 'root', sid: '', mode: '', term: { w: 80, h: 24 }, ...params },
    ports,
    on: {
      state: state => states.push(state),
      session: () => {},
      reset() {
        heard.resets += 1;
        heard.screen = '';
      },
      output(bytes, end) {
        heard.screen += new TextDecoder().decode(bytes);
        heard.ends.push(end);
      },
      presence: ({ parties }) => heard.parties.push(parties.map(({ user, mode }) => `${user} ${mode}`).join(', ')),
      resized: (cols, rows) => heard.sizes.push(`${cols}x${rows}`),
      latency: () => {},
      notice: text => heard.notices.push(text),
      ...(answers.prove && { prove: answers.prove }),
    },
    ...(answers.giveUpAfterMs !== undefined && { giveUpAfterMs: answers.giveUpAfterMs }),
  });
  return {
    connection,
    sockets,
    states,
    heard,
    wake: () => wake(),
    timers,
    last(): ScriptedSocket {
      const socket = sockets.at(-1);
      if (!socket) throw new Error('no socket was opened');
      return socket;
    },
    async pass(ms: number): Promise<void> {
      const until = now + ms;
      for (;;) {
        const due = timers.filter(timer => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.splice(timers.indexOf(due), 1);
        now = due.at;
        due.run();
        await settled();
      }
      now = until;
    },
  };
}

async function connected(params: Partial<TerminalParams> = {}, answers: Answers = {}) {
  const all = scripted(params, answers);
  await settled();
  all.last().session(0, true);
  return all;
}

test('after a cut the connection asks for what follows, with a fresh token, and the screen has every byte once', async () => {
  const { heard, last, pass, sockets } = await connected();
  last().print('one ');
  last().print('two ');
  last().fail(1006);
  await pass(200);
  expect(sockets.length).toBe(2);
  expect(last().params).toEqual({
    server_id: 'n1',
    login: 'root',
    sid: 's1',
    mode: '',
    term: { w: 80, h: 24 },
    have: 8,
  });
  expect(last().url).toContain('token2');
  last().session(8, false);
  last().print('three');
  expect(heard).toMatchObject({ screen: 'one two three', resets: 0, ends: [4, 8, 13] });
});

test('a session that cannot be continued clears the screen first', async () => {
  const { heard, last, pass } = await connected();
  last().print('lost on the way');
  last().fail(1006);
  await pass(200);
  last().session(1000, true);
  last().print('the ring');
  expect(heard).toMatchObject({ screen: 'the ring', resets: 1 });
  expect(heard.ends.at(-1)).toBe(1008);
});

test('a gateway that continues elsewhere than asked is taken as a new screen, not as a gap', async () => {
  const { heard, last, pass } = await connected();
  last().print('abc');
  last().fail(1006);
  await pass(200);
  last().session(7, false);
  expect(heard.resets).toBe(1);
});

test('the first screen of a new session is not cleared: an older scrollback may be above it', async () => {
  const { heard } = await connected();
  expect(heard.resets).toBe(0);
});

test('whatever is printed, cut and resumed, no byte is lost or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), fc.constant('')), { maxLength: 30 }),
      async turns => {
        const { heard, last, pass } = await connected();
        let all = '';
        let bytes = 0;
        for (const turn of turns) {
          if (turn === '') {
            last().fail(1006);
            await pass(5000);
            // The gateway continues where the client says it is.
            expect(last().params.have).toBe(bytes);
            last().session(bytes, false);
          } else {
            last().print(turn);
            all += turn;
            bytes += encoder.encode(turn).length;
          }
        }
        expect(heard.screen).toBe(all);
      },
    ),
    { numRuns: 60 },
  );
});

test('the pause between tries doubles from 0.2 s to 5 s', async () => {
  const { last, pass, states } = await connected();
  last().fail(1006);
  const pauses: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const state = states.at(-1);
    if (state?.kind !== 'reconnecting') throw new Error('not reconnecting');
    await pass(0);
    const pause = state.retryAt - (pauses.reduce((sum, each) => sum + each, 0) + 1000);
    pauses.push(pause);
    await pass(pause);
    last().fail(1006); // never opened: the gateway is asked, and is away
    await settled();
  }
  expect(pauses).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
});

test('when the network is back the next try begins at once', async () => {
  const { last, pass, wake, sockets } = await connected();
  last().fail(1006);
  await pass(200);
  last().fail(1006);
  await settled();
  wake();
  await settled();
  expect(sockets.length).toBe(3);
});

test('what is typed while away is sent after the way back, in order and after nothing else', async () => {
  const { connection, last, pass } = await connected();
  last().fail(1006);
  expect([connection.send(encoder.encode('ls ')), connection.send(encoder.encode('-l'))]).toEqual([true, true]);
  await pass(200);
  last().session(0, false);
  expect(last().texts('r')).toEqual(['ls ', '-l']);
});

test('more typing than 64 kB is refused while away, and taken again afterwards', async () => {
  const { connection, last, pass } = await connected();
  last().fail(1006);
  expect(connection.send(new Uint8Array(64 * 1024))).toBe(true);
  expect(connection.send(new Uint8Array(1))).toBe(false);
  await pass(200);
  last().session(0, false);
  expect(connection.send(new Uint8Array(1))).toBe(true);
});

test('a large paste travels in frames that the gateway takes', async () => {
  const { connection, last } = await connected();
  connection.send(new Uint8Array(200_000).fill(97));
  const lengths = last()
    .texts('r')
    .map(text => text.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 1024);
  expect(lengths.reduce((sum, each) => sum + each, 0)).toBe(200_000);
});

test('the end of the shell ends the connection, and nothing is tried again', async () => {
  const { last, states, timers } = await connected();
  const first = last();
  first.frame('c', new Uint8Array());
  expect(states.at(-1)).toEqual({ kind: 'ended', text: '' });
  expect([first.onclose, timers.length]).toEqual([null, 0]);
});

test.each([1003, 1008, 1009])('close code %i is not tried again, and its reason is said', async code => {
  const { last, states, timers } = await connected();
  last().fail(code, 'Your role changed');
  expect(states.at(-1)).toEqual({ kind: 'refused', text: 'Your role changed', gone: false });
  expect(timers.length).toBe(0);
});

test('an error frame before the close is the reason', async () => {
  const { last, states, heard } = scripted();
  await settled();
  last().onopen?.();
  last().frame('e', encoder.encode('The host key of db-3 has changed'));
  last().fail(1011);
  expect(states.at(-1)).toEqual({ kind: 'refused', text: 'The host key of db-3 has changed', gone: false });
  expect(heard.notices).toEqual(['The host key of db-3 has changed']);
});

test('whoever comes or goes is told with everybody who is there then; what is no such frame is left alone', async () => {
  const { last, heard } = await connected();
  const parties = [
    { id: 'p1', user: 'ann', mode: 'peer' },
    { id: 'p2', user: 'bob', mode: 'observer' },
  ];
  last().frame('a', json({ event: 'session.join', sid: 's', user: 'bob', mode: 'observer', parties }));
  last().frame('a', json({ event: 'session.leave', parties: parties.slice(0, 1) }));
  last().frame('a', json({ event: 'session.join', user: 'eve' }));
  expect(heard.parties).toEqual(['ann peer, bob observer', 'ann peer']);
});

type Scripted = ReturnType<typeof scripted>;

test('a question for a hardware key is answered, and whoever cancels or cannot answer leaves', async () => {
  const asked = async (answers: Answers) => {
    const { sockets, connection } = scripted({}, answers);
    await settled();
    sockets[0]?.frame('n', json({ ask: 1 }));
    await settled();
    return { sent: sockets[0]?.texts('n'), state: connection.state };
  };
  const answered = await asked({ prove: async challenge => `answer to ${challenge}` });
  expect([answered.sent, answered.state.kind]).toEqual([['answer to {"ask":1}'], 'connecting']);
  const cancelled = await asked({ prove: () => Promise.reject(new Error('the key was not used')) });
  expect(cancelled).toEqual({ sent: [], state: { kind: 'refused', text: 'the key was not used', gone: false } });
  expect((await asked({})).state).toMatchObject({ kind: 'refused', text: expect.stringContaining('in the console') });
});

test.each([
  ['is lost', ({ sockets }: Scripted) => sockets[0]?.fail(1006), 'refused'],
  ['is left', ({ connection }: Scripted) => connection.dispose(), 'ended'],
])(
  'a question for a hardware key ends once when its connection %s, and what is answered then is not sent',
  async (_how, end, kind) => {
    let ends = 0;
    let answer = (_given: string): void => {};
    const rig = scripted(
      {},
      {
        prove: (_challenge, onGone) =>
          new Promise(done => {
            answer = done;
            onGone(() => {
              ends += 1;
            });
          }),
      },
    );
    await settled();
    rig.sockets[0]?.onopen?.();
    rig.sockets[0]?.frame('n', json({ ask: 1 }));
    await settled();
    end(rig);
    answer('too late');
    await settled();
    expect([ends, rig.sockets[0]?.texts('n'), rig.connection.state.kind]).toEqual([1, [], kind]);
  },
);

test('an old error frame does not explain a cut that comes much later', async () => {
  const { last, states, pass } = await connected();
  last().frame('e', encoder.encode('5000 columns are too many'));
  await pass(60_000);
  last().fail(1006);
  expect(states.at(-1)?.kind).toBe('reconnecting');
});

test('raw text before a close is a reason too', async () => {
  const { last, states } = scripted();
  await settled();
  last().onopen?.();
  last().onmessage?.({ data: 'no shell for you' });
  last().fail(1011);
  expect(states.at(-1)).toMatchObject({ kind: 'refused', text: 'no shell for you' });
});

test('a refused upgrade is explained by asking the gateway', async () => {
  const { last, states } = scripted({}, { why: () => ({ status: 403, text: 'You may not log in as root' }) });
  await settled();
  last().fail(1006);
  await settled();
  expect(states.at(-1)).toEqual({ kind: 'refused', text: 'You may not log in as root', gone: false });
});

test('a session that is not there any more after a restart is said to have ended', async () => {
  const { last, states, pass } = await connected({}, { why: () => ({ status: 404, text: 'no such session' }) });
  last().fail(1001);
  await pass(200);
  last().fail(1006);
  await settled();
  expect(states.at(-1)).toEqual({ kind: 'refused', text: GONE_TEXT, gone: true });
});

test('a connection that was lost before the session began is not tried again: it may have begun unseen', async () => {
  const { last, states, sockets } = scripted();
  await settled();
  last().onopen?.();
  last().fail(1006);
  expect([states.at(-1)?.kind, sockets.length]).toEqual(['refused', 1]);
});

test('a token that ended meanwhile gets two more tries before the refusal counts', async () => {
  const { last, states, pass, sockets } = await connected({}, { why: () => ({ status: 403, text: 'Access denied' }) });
  last().fail(1006);
  for (let round = 0; round < 3; round += 1) {
    await pass(5000);
    last().fail(1006);
    await settled();
  }
  expect(states.at(-1)).toEqual({ kind: 'refused', text: 'Access denied', gone: false });
  expect(sockets.length).toBe(4);
});

test('silence after the first latency frame counts as a cut; before it, silence is allowed', async () => {
  const quiet = await connected();
  await quiet.pass(120_000);
  expect(quiet.sockets.length).toBe(1);
  const { last, states, pass } = await connected();
  last().frame('l', json({ ws: 1, ssh: 2 }));
  await pass(12_499);
  expect(states.at(-1)?.kind).toBe('connected');
  await pass(1);
  // The outage began when the gateway was last heard, not when that was noticed.
  expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', lostAt: 1000 });
});

test('what is drawn is told, first of all right after each attachment', async () => {
  const { connection, last, pass } = await connected();
  expect(last().texts('l')).toEqual(['{"seen":0}']);
  last().print('x'.repeat(100));
  connection.seen(60);
  last().fail(1006);
  await pass(200);
  last().session(100, false);
  expect(last().texts('l')).toEqual(['{"seen":60}']);
});

test('a size chosen while away is told after the way back, and only once', async () => {
  const { connection, last, pass } = await connected();
  connection.resize(80, 24);
  expect(last().texts('w')).toEqual([]);
  connection.resize(100, 30);
  connection.resize(100, 30);
  expect(last().texts('w')).toEqual(['{"event":"resize","width":100,"height":30,"size":"100:30"}']);
  last().fail(1006);
  connection.resize(120, 40);
  await pass(200);
  expect(last().params.term).toEqual({ w: 120, h: 40 });
  last().session(0, false);
  expect(last().texts('w')).toEqual([]);
});

test('the size of another participant is followed; nonsense is not', async () => {
  const { last, heard } = await connected();
  for (const size of ['90:20', '0:5', '5000:1', '9:', 'x']) last().frame('a', json({ event: 'resize', size }));
  last().frame('a', encoder.encode('{'));
  expect(heard.sizes).toEqual(['90x20']);
});

test('bytes that are no frame end the connection with a sentence', async () => {
  const { last, states } = await connected();
  last().onmessage?.({ data: Uint8Array.from([1, 2, 3]).buffer });
  expect(states.at(-1)?.kind).toBe('refused');
});

test('leaving closes the socket with 1000 and stops everything', async () => {
  const { connection, last, timers, sockets, pass } = await connected();
  const socket = last();
  socket.frame('l', json({ ws: 1, ssh: 2 }));
  connection.dispose();
  expect([socket.closedWith, timers.length]).toEqual([1000, 0]);
  await pass(60_000);
  expect(sockets.length).toBe(1);
});

test('asking for the screen anew attaches without saying what is here', async () => {
  const { connection, last } = await connected();
  last().print('abc');
  connection.resync();
  await settled();
  expect(last().params).toMatchObject({ sid: 's1' });
  expect(last().params.have).toBeUndefined();
});

test('what is typed while the screen is asked for anew is sent when it has come', async () => {
  const { connection, last } = await connected();
  connection.resync();
  await settled();
  expect(connection.send(encoder.encode('ls'))).toBe(true);
  expect(last().texts('r')).toEqual([]);
  last().session(0, true);
  expect(last().texts('r')).toEqual(['ls']);
});

test.each([
  ['lost network', new ApiError('network'), 'reconnecting'],
  ['session of the person that is over', new Error('sign in again'), 'refused'],
] as const)('a token that cannot be had for a %s: the connection is %s', async (_why, error, kind) => {
  const failing = () => {
    throw error;
  };
  const { states } = scripted({}, { token: failing });
  await settled();
  expect(states.at(-1)).toMatchObject({ kind, text: error.message });
});

test('an outage longer than what was agreed on is given up, counted from the last connection', async () => {
  const { last, pass, sockets, states } = await connected({}, { giveUpAfterMs: 8000 });
  last().fail(1006);
  await pass(200);
  last().session(0, false);
  last().fail(1006);
  for (let round = 0; round < 20 && states.at(-1)?.kind === 'reconnecting'; round += 1) {
    await pass(1000);
    if (last().onclose) last().fail(1006);
    await settled();
  }
  expect(states.at(-1)).toMatchObject({ kind: 'refused', text: 'The gateway cannot be reached' });
  expect(sockets.length).toBeGreaterThan(3);
});

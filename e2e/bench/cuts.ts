// Cuts of the network, short and long, while terminals are idle, typed into and printing: nothing may be lost or doubled, each stays one
// session, and its recording holds all of it.
import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { nodePorts } from '../../src/cli/person/node-ports.ts';
import type { Session } from '../../src/cli/person/signed.ts';
import { openTerminalConnection } from '../../src/client/terminal-connection.ts';
import { STREAM_MOST_BYTES } from '../../src/contract/recordings.ts';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import { openNetwork } from '../rigs/network.ts';
import type { Row } from './row.ts';
import { allowManySessions } from './socket.ts';
import { begin, echoCommand } from './ssh.ts';

const CUTS_S = [1, 5, 30, 120];
/** Terminals of each kind that each cut goes through. */
const EACH = 20;
const AT_ONCE = 10;
const BEFORE_MS = 2000;
const EVERY_MS = 100;
const MARK = 'BEGIN-HERE\n';
/** Everything has arrived by then, or it is lost. */
const ARRIVES_WITHIN_MS = 60_000;
const LINES = 100;

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
/** Lines until well after the cut, some of them every tenth of a second. */
const ticksOf = (cutS: number): number => (BEFORE_MS + cutS * 1000 + 4000) / EVERY_MS;
const printCommand = (cutS: number): string =>
  `${begin}; read go; exec perl -e '$| = 1; for my $n (0..${ticksOf(cutS) - 1}) { print map { ($n * ${LINES} + $_)."\\n" } 1..${LINES}; select undef, undef, undef, 0.1 } sleep 600'`;

const kinds = {
  idle: { command: () => echoCommand, expected: () => 'after\n' },
  typing: { command: () => echoCommand, expected: (cutS: number) => numbered(ticksOf(cutS)) },
  printing: { command: printCommand, expected: (cutS: number) => numbered(ticksOf(cutS) * LINES) },
} as const;
type Kind = keyof typeof kinds;

/** A terminal as a person has it: what it shows since the mark, and how often it was drawn anew. */
async function open(client: WireClient, url: string, command: string) {
  let text = '';
  let resets = 0;
  const decoder = new TextDecoder();
  const session = { url, bearer: async () => client.bearer, cookies: () => client.cookie };
  let isOpen = false;
  const shell = openTerminalConnection({
    params: { server_id: hostname(), login: userInfo().username, sid: '', mode: '', term: { w: 80, h: 24 } },
    ports: nodePorts(session as Session, client.cluster),
    on: {
      state: () => undefined,
      session: () => {
        isOpen = true;
      },
      reset() {
        if (text !== '') resets += 1;
        text = '';
      },
      output(bytes, end) {
        text += decoder.decode(bytes, { stream: true });
        shell.seen(end);
      },
      notice: () => undefined,
    },
  });
  await until(() => isOpen);
  shell.send(Buffer.from(`${command}\r`));
  const shown = (): string => {
    const at = text.indexOf(MARK);
    return at < 0 ? text : text.slice(at + MARK.length);
  };
  return { shell, shown, resets: () => resets, isBegun: () => text.includes(MARK) };
}

async function until(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + ARRIVES_WITHIN_MS;
  while (!isSo() && performance.now() < end) await wait(50);
  return isSo();
}

/** What the recording of a session printed after the mark, as a hash. */
async function recorded(client: WireClient, url: string, sid: string): Promise<string> {
  const headers = { cookie: client.cookie, authorization: `Bearer ${client.bearer}` };
  const parts: Buffer[] = [];
  for (let offset = 0; ; offset += STREAM_MOST_BYTES) {
    const path = `/v1/webapi/sites/${client.cluster}/sessions/${sid}/stream?offset=${offset}&bytes=${STREAM_MOST_BYTES}`;
    const part = Buffer.from(await (await fetch(url + path, { headers })).arrayBuffer());
    parts.push(part);
    if (part.length < STREAM_MOST_BYTES) break;
  }
  const text = Buffer.concat(parts).toString();
  return createHash('sha256')
    .update(text.slice(text.indexOf(MARK) + MARK.length))
    .digest('hex');
}

export async function benchCuts(each = EACH): Promise<readonly Row[]> {
  const gateway = await openGateway();
  const port = Number(new URL(gateway.directUrl).port);
  const networks = await Promise.all(CUTS_S.map(() => openNetwork(port)));
  try {
    const user = await acceptInvite(gateway.directUrl, gateway.invite(), PASSWORD);
    const client = await signIn(gateway.directUrl, user, PASSWORD);
    await allowManySessions(client, user);
    const plans = CUTS_S.flatMap((cutS, at) =>
      (Object.keys(kinds) as Kind[]).flatMap(kind => Array.from({ length: each }, () => ({ cutS, at, kind }))),
    );
    const faults: string[] = [];
    let resets = 0;
    const opened: (Awaited<ReturnType<typeof open>> & (typeof plans)[number])[] = [];
    for (let from = 0; from < plans.length; from += AT_ONCE)
      opened.push(
        ...(await Promise.all(
          plans.slice(from, from + AT_ONCE).map(async plan => {
            const url = `http://127.0.0.1:${networks[plan.at]?.port}`;
            return { ...plan, ...(await open(client, url, kinds[plan.kind].command(plan.cutS))) };
          }),
        )),
      );
    await until(() => opened.every(({ isBegun }) => isBegun()));
    for (const { kind, shell } of opened) if (kind === 'printing') shell.send(Buffer.from('\n'));
    const types = opened
      .filter(({ kind }) => kind === 'typing')
      .map(async ({ shell, cutS }) => {
        for (let tick = 1; tick <= ticksOf(cutS); tick++) {
          shell.send(Buffer.from(`${tick}\n`));
          await wait(EVERY_MS);
        }
      });
    await wait(BEFORE_MS);
    await Promise.all(
      networks.map(async (network, at) => {
        network.cut();
        await wait((CUTS_S[at] ?? 0) * 1000);
        network.mend();
      }),
    );
    await Promise.all(types);
    for (const { kind, shell } of opened) if (kind === 'idle') shell.send(Buffer.from('after\n'));
    for (const one of opened) {
      const expected = kinds[one.kind].expected(one.cutS);
      const seen = () => one.shown();
      const isWhole = () =>
        one.resets() === 0
          ? seen() === expected
          : seen() !== '' && expected.endsWith(seen().slice(seen().indexOf('\n') + 1));
      if (!(await until(isWhole))) faults.push(`${one.kind} ${one.cutS} s: what is shown is not what was printed`);
      resets += one.resets();
    }
    for (const { shell } of opened) shell.dispose();
    const now = Date.now();
    const range = `from=${new Date(now - 3_600_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}&limit=5000`;
    const ends = async (type: string): Promise<readonly { sid: string }[]> =>
      (
        (await client.call('GET', `sites/${client.cluster}/events/search?include=${type}&${range}`)) as {
          events: { sid: string }[];
        }
      ).events;
    for (let looked = 0; looked < 60 && (await ends('session.end')).length < opened.length; looked++) await wait(1000);
    const sids = new Set(opened.map(({ shell }) => shell.sid));
    for (const type of ['session.start', 'session.end']) {
      const events = await ends(type);
      if (events.length !== opened.length || events.some(({ sid }) => !sids.has(sid)))
        faults.push(`${events.length} ${type} of ${opened.length} sessions`);
    }
    for (const { shell, kind, cutS } of opened) {
      const wanted = createHash('sha256').update(kinds[kind].expected(cutS)).digest('hex');
      if ((await recorded(client, gateway.directUrl, shell.sid)) !== wanted)
        faults.push(`${kind} ${cutS} s: the recording is not what was printed`);
    }
    for (const fault of faults) console.error(fault);
    return [
      {
        what: `cuts of ${CUTS_S.join(', ')} s, ${each} terminals each idle, typed into and printing`,
        target: 'nothing lost or doubled, one session, one recording',
        measured: faults.length === 0 ? `held by all ${opened.length}` : `${faults.length} faults in ${opened.length}`,
        reference: `${resets} were drawn anew`,
      },
    ];
  } finally {
    for (const network of networks) network.dispose();
    await gateway.dispose();
  }
}

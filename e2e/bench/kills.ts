// The gateway is killed at moments nobody chose, with many sessions that print: what was shown is in their recordings, each is signed as
// cut, and the audit log has the end of each once.
import { randomInt } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { STREAM_MOST_BYTES } from '../../src/contract/recordings.ts';
import { PASSWORD } from '../rigs/browser.ts';
import { acceptInvite, signIn, type WireClient } from '../rigs/client.ts';
import { openGateway } from '../rigs/gateway.ts';
import type { Row } from './row.ts';
import { allowManySessions } from './socket.ts';

const KILLS = 50;
const SESSIONS = 50;
const AT_ONCE = 10;
/** A kill comes within this of the last session's beginning, ms. */
const WITHIN_MS = 3000;
/** Signed in anew this often: a bearer lives for some minutes. */
const KILLS_PER_SIGN_IN = 5;
const PRINT = `stty -echo; exec perl -e '$| = 1; for (my $n = 0;; $n++) { print "$n\\n", "x" x 400, "\\n"; select undef, undef, undef, rand 0.02 }'`;

async function openOne(client: WireClient) {
  const shell = await client.shell({ server_id: hostname(), login: userInfo().username });
  const shown: Buffer[] = [];
  shell.onOutput(bytes => void shown.push(Buffer.from(bytes)));
  shell.send(`${PRINT}\r`);
  await shell.until('\n5\r\n');
  return { sid: shell.sid, closed: shell.closed, shown: () => Buffer.concat(shown) };
}

/** What is wrong with a session whose gateway was killed, if anything. */
async function faultOf(client: WireClient, url: string, sid: string, shown: Buffer): Promise<string | null> {
  const headers = { cookie: client.cookie, authorization: `Bearer ${client.bearer}` };
  const path = `/v1/webapi/sites/${client.cluster}/sessions/${sid}/stream?offset=0&bytes=${STREAM_MOST_BYTES}`;
  const kept = Buffer.from(await (await fetch(url + path, { headers })).arrayBuffer());
  if (!kept.includes(shown)) return `${shown.length} bytes were shown that are not all in its recording`;
  const { state, integrity } = (await client.call('GET', `sites/${client.cluster}/recordings/${sid}`)) as {
    state: string;
    integrity: { ok: boolean };
  };
  return state === 'cut' && integrity.ok ? null : `its recording is ${state}, ${JSON.stringify(integrity)}`;
}

/** The row of the proof; takes some 20 minutes. */
export async function benchKills(kills = KILLS, sessions = SESSIONS): Promise<readonly Row[]> {
  const gateway = await openGateway();
  try {
    const url = gateway.directUrl;
    const user = await acceptInvite(url, gateway.invite(), PASSWORD);
    let client = await signIn(url, user, PASSWORD);
    await allowManySessions(client, user);
    const sids: string[] = [];
    const faults: string[] = [];
    let bytes = 0;
    for (let kill = 0; kill < kills; kill++) {
      if (kill > 0 && kill % KILLS_PER_SIGN_IN === 0) client = await signIn(url, user, PASSWORD);
      const opened: Awaited<ReturnType<typeof openOne>>[] = [];
      for (let from = 0; from < sessions; from += AT_ONCE) {
        const count = Math.min(AT_ONCE, sessions - from);
        opened.push(...(await Promise.all(Array.from({ length: count }, () => openOne(client)))));
      }
      await wait(randomInt(WITHIN_MS));
      await gateway.kill('SIGKILL');
      await Promise.all(opened.map(({ closed }) => closed));
      await gateway.start();
      for (const { sid, shown } of opened) {
        sids.push(sid);
        bytes += shown().length;
        const fault = await faultOf(client, url, sid, shown());
        if (fault) faults.push(`kill ${kill + 1}, session ${sid}: ${fault}`);
      }
      console.error(`${kill + 1} kills, ${faults.length} faults`);
    }
    const now = Date.now();
    const range = `from=${new Date(now - 7_200_000).toISOString()}&to=${new Date(now + 60_000).toISOString()}&limit=5000`;
    const { events } = (await client.call(
      'GET',
      `sites/${client.cluster}/events/search?include=session.end&${range}`,
    )) as { events: { sid: string }[] };
    const ends = events.map(({ sid }) => sid).sort();
    if (JSON.stringify(ends) !== JSON.stringify(sids.toSorted()))
      faults.push(`${ends.length} session.end of ${sids.length} sessions`);
    for (const fault of faults) console.error(fault);
    return [
      {
        what: `kill -9 at ${kills} random moments, ${sessions} sessions that print each time`,
        target: 'all that was shown is recorded, each signed as cut and ended once',
        measured: faults.length === 0 ? `held by all ${sids.length}` : `${faults.length} faults in ${sids.length}`,
        reference: `${(bytes / 1e6).toFixed(1)} MB were shown`,
      },
    ];
  } finally {
    await gateway.dispose();
  }
}

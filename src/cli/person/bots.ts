// `bot start`: a machine that joins as a bot, keeps what it needs for ssh, databases and clusters in a folder, and renews it before it ends.
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { joinBot, renewBot } from '../../contract/bots.ts';
import type { ReplyOf } from '../../contract/call.ts';
import { ApiError } from '../../contract/failure.ts';
import { complain, plainText } from '../output.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { type BotIdentity, newKey, publicHalf, readIdentity, signedRenewal, writeIdentity } from './bot-identity.ts';
import { equip } from './equip.ts';
import { readConfig } from './facts.ts';
import { readUrl } from './http.ts';
import { idTokenFor } from './id-token.ts';
import { writeSession } from './session-file.ts';
import { type Entrance, openEntrance } from './signed.ts';

type Joined = ReplyOf<typeof joinBot>;

/** What could not be renewed now is tried again after this long, ms, and twice that each time, up to the second. */
const AGAIN_MS = 5000;
const AGAIN_MOST_MS = 60_000;
/** Never asked for anew sooner than this, ms. */
const SOONEST_MS = 1000;

/** The folder that `--to` names, or the bot's own by the XDG base directories. */
function folderOf(given: string | undefined): string {
  if (given !== undefined) return resolve(given);
  const config = process.env.XDG_CONFIG_HOME;
  return join(config !== undefined && isAbsolute(config) ? config : join(homedir(), '.config'), 'postern', 'bot');
}

interface Place {
  readonly identity: string;
  readonly session: string;
  readonly kubeconfig: string;
}
const placeOf = (folder: string): Place => ({
  identity: join(folder, 'identity.json'),
  session: join(folder, 'session.json'),
  kubeconfig: join(folder, 'kubeconfig.yaml'),
});

/** Keeps what the gateway answered: who the bot is now, and its session, with which every other verb works as the bot. */
async function keep(place: Place, entrance: Entrance, joined: Joined, key: string): Promise<BotIdentity> {
  const { bot, instance, generation, renews } = joined;
  const ends = Date.parse(joined.sessionExpires);
  const identity: BotIdentity = { version: 1, url: entrance.url, bot, instance, generation, renews, key, ends };
  writeIdentity(place.identity, identity);
  writeSession(place.session, await entrance.opened(joined));
  return identity;
}
/** Throws Refused, UsageError, ApiError. */
async function joinAnew(typed: Typed, url: string, place: Place): Promise<readonly [BotIdentity, Joined]> {
  const token = typed.one('--token');
  if (token === undefined) throw new UsageError('bot start: give --token TOKEN: this machine has not joined yet');
  const entrance = openEntrance(url);
  const audience = async (): Promise<string> => (await readConfig(url)).proxyCluster;
  const idToken = await idTokenFor(token, typed.one('--id-token-file'), audience);
  const key = newKey();
  const ttl = typed.one('--ttl');
  const body = { token, publicKey: publicHalf(key), ...(idToken && { idToken }), ...(ttl && { ttl }) };
  const joined = await entrance.call(joinBot, { body });
  return [await keep(place, entrance, joined, key), joined];
}
/** Throws Refused, ApiError. */
async function renew(typed: Typed, before: BotIdentity, place: Place): Promise<readonly [BotIdentity, Joined]> {
  const next = before.next ?? newKey();
  // Before it is asked for: an answer that is lost is asked for again with the same key.
  writeIdentity(place.identity, { ...before, next });
  const entrance = openEntrance(before.url);
  const ttl = typed.one('--ttl');
  const joined = await entrance.call(renewBot, {
    body: { ...signedRenewal({ ...before, next }), ...(ttl && { ttl }) },
  });
  return [await keep(place, entrance, joined, next), joined];
}

/** When to ask for the next: halfway, and before a quiet session ends. */
function pauseOf({ sessionExpires, sessionInactiveTimeout: quietMs }: Joined, now: number): number {
  const leftMs = Date.parse(sessionExpires) - now;
  return Math.max(SOONEST_MS, Math.min(leftMs, quietMs > 0 ? quietMs : leftMs) / 2);
}

async function start(typed: Typed, { print, untilEnded }: Surface): Promise<number> {
  const folder = folderOf(typed.one('--to'));
  const place = placeOf(folder);
  const known = readIdentity(place.identity);
  const given = typed.one('--gateway');
  if (known === null && given === undefined) throw new UsageError('bot start: give --gateway URL');
  const url = given === undefined ? (known?.url ?? '') : readUrl(given);
  if (known && known.url !== url)
    throw new Refused(`${folder} belongs to a bot of ${known.url}: give another folder with --to`);
  const isAlive = known?.renews === true && known.ends > Date.now();
  let [identity, joined] = isAlive && known ? await renew(typed, known, place) : await joinAnew(typed, url, place);
  await equip(typed, place);
  const until = (): string => `until ${joined.sessionExpires}`;
  print(`Joined ${url} as bot-${plainText(identity.bot)}, ${until()}. In ${folder}:`);
  print(`  ssh -F ${join(folder, 'ssh', 'config')} LOGIN@SERVER`);
  print(`  postern servers list --session-file ${place.session}`);
  if (typed.has('--oneshot')) return 0;

  let isEnded = false;
  const ended = (untilEnded?.() ?? Promise.resolve()).then(() => {
    isEnded = true;
  });
  const pause = async (ms: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      ended,
      new Promise<void>(done => {
        timer = setTimeout(done, ms);
      }),
    ]);
    clearTimeout(timer);
  };
  let failedMs = 0;
  while (!isEnded) {
    await pause(failedMs > 0 ? failedMs : pauseOf(joined, Date.now()));
    if (isEnded) break;
    try {
      // What is on disk counts: a renewal that was cut short has left the key to come there.
      const before = readIdentity(place.identity) ?? identity;
      [identity, joined] = before.renews ? await renew(typed, before, place) : await joinAnew(typed, url, place);
      await equip(typed, place);
      failedMs = 0;
      print(`Renewed ${until()} (generation ${identity.generation}).`);
    } catch (error) {
      // A network comes back; a refusal stays one.
      const mayPass = error instanceof ApiError && (error.code === 'network' || (error.response?.status ?? 500) >= 500);
      if (!mayPass || identity.ends <= Date.now()) throw error;
      failedMs = Math.min(Math.max(AGAIN_MS, failedMs * 2), AGAIN_MOST_MS);
      complain(`not renewed yet, tried again in ${failedMs / 1000} s: ${error.message}`);
    }
  }
  return 0;
}

export const botVerb: Verb = {
  verb: 'bot start',
  words: [],
  help: 'Joins as a bot and keeps its keys and certificates fresh in a folder, until it is ended',
  flags: [
    { name: '--gateway', argument: 'URL', help: 'The gateway; needed until the bot has joined' },
    {
      name: '--token',
      argument: 'TOKEN',
      help: 'What it joins with, from `postern bot add`; needed until it has joined',
    },
    {
      name: '--id-token-file',
      argument: 'FILE',
      help: 'What proves this machine, for a token without a secret; otherwise POSTERN_ID_TOKEN, or what GitHub Actions answers',
    },
    { name: '--to', argument: 'FOLDER', help: 'Where all of it is kept; ~/.config/postern/bot unless said' },
    { name: '--db', argument: 'NAME', help: 'A database to keep a certificate for', many: true },
    { name: '--kube', argument: 'NAME', help: 'A cluster to keep a context of kubectl for', many: true },
    { name: '--ttl', argument: 'TIME', help: 'How long what it is given lasts, from 1m to 24h; 1h unless said' },
    { name: '--oneshot', help: 'Ends once it has joined, as a job of a pipeline wants it' },
  ],
  run: start,
};

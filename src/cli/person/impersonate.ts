// `certificates sign`: keys and certificates for another user, as roles allow it, in a folder of their own.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { impersonate } from '../../contract/impersonation.ts';
import { plainText } from '../output.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Surface, type Typed, UsageError, type Verb } from '../verb.ts';
import { equip } from './equip.ts';
import { readSession, sessionOf, writeSession } from './session-file.ts';
import { resumeSession } from './signed.ts';

const CSRF_BYTES = 32;

async function sign(typed: Typed, { print }: Surface): Promise<number> {
  const user = typed.one('--user');
  const out = typed.one('--out');
  if (user === undefined || out === undefined)
    throw new UsageError('certificates sign: give --user NAME and --out FOLDER');
  const folder = resolve(out);
  const file = join(folder, 'session.json');
  const before = readSession(file);
  if (before !== null && before.user !== user)
    throw new Refused(`${folder} is of ${plainText(before.user)}: give another`);
  const own = resumeSession(sessionOf(typed));
  const ttl = typed.one('--ttl');
  const reply = await own.call(impersonate, { body: { user, ...(ttl !== undefined && { ttl }) } });
  writeSession(file, {
    version: 1,
    url: own.url,
    user: reply.user,
    cookie: reply.cookie,
    // The proof is that cookie and header say the same.
    csrf: randomBytes(CSRF_BYTES).toString('hex'),
    bearer: reply.token,
    bearerEnds: Date.now() + reply.expires_in * 1000,
    sessionEnds: Date.parse(reply.sessionExpires),
  });
  await equip(typed, { session: file, kubeconfig: join(folder, 'kubeconfig.yaml') });
  print(`You act as ${plainText(reply.user)} until ${reply.sessionExpires}. In ${folder}:`);
  print(`  ssh -F ${join(folder, 'ssh', 'config')} LOGIN@SERVER`);
  print(`  postern servers list --session-file ${file}`);
  return 0;
}

export const impersonateVerb: Verb = {
  verb: 'certificates sign',
  words: [],
  help: 'Makes keys and certificates with which you act as another user for a while, where your roles let you',
  flags: [
    { name: '--user', argument: 'NAME', help: 'As whom', needed: true },
    { name: '--out', argument: 'FOLDER', help: 'Where all of it is kept', needed: true },
    {
      name: '--ttl',
      argument: 'TIME',
      help: 'How long it lasts, from 1m to 24h; 1h unless said. Roles of either may shorten it',
    },
    { name: '--db', argument: 'NAME', help: 'A database to make a certificate for', many: true },
    { name: '--kube', argument: 'NAME', help: 'A cluster to make a context of kubectl for', many: true },
    SESSION_FLAG,
  ],
  run: sign,
};

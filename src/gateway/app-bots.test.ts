// Bots: made with a token, joined once, renewed by a key that changes each time, found out when somebody has a copy, held back like people.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bot, renewalText } from '../contract/bots.ts';
import { type Answer, type Browser, CLUSTER, call, openRig, PASSWORD, type Rig } from './app.testing.ts';

let rig: Rig;
let ann: Browser;
beforeAll(async () => {
  rig = await openRig();
  await rig.addUser('ann', ['editor', 'auditor', 'access'], ['root']);
  ann = await rig.signIn('ann');
});
afterAll(() => rig.dispose());

const CSRF = 'c'.repeat(64);
const ask = (path: string, body: unknown): Promise<Answer> =>
  call(rig.app, {
    method: 'POST',
    url: `/v1/webapi/${path}`,
    body,
    headers: { cookie: `__Host-postern_csrf=${CSRF}`, 'x-csrf-token': CSRF },
  });

interface Key {
  readonly privateKey: KeyObject;
  readonly raw: string;
}
const newKey = (): Key => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, raw: publicKey.export({ format: 'jwk' }).x ?? '' };
};
interface Made {
  readonly bot: Bot;
  readonly token: { readonly id: string; readonly name: string; readonly expiry: string | null };
  readonly line: string;
}
let count = 0;
async function add(more: object = {}): Promise<Made> {
  count += 1;
  const body = { name: `ci-${count}`, roles: ['access'], traits: { logins: ['root'] }, ...more };
  const { status, json } = await ann.call('POST', '/v1/webapi/bots', body);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json as Made;
}
interface Joined {
  readonly bot: string;
  readonly instance: string;
  readonly generation: number;
  readonly key: Key;
  readonly cookie: string;
  readonly bearer: string;
  readonly sessionExpires: string;
}
const joinedBy = (answer: Answer, key: Key): Joined => {
  expect([answer.status, answer.body.slice(0, 200)]).toEqual([200, expect.anything()]);
  const json = answer.json as Omit<Joined, 'key' | 'cookie' | 'bearer'> & { readonly token: string };
  const cookie = /__Host-session=([0-9a-f]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
  return { ...json, key, cookie, bearer: json.token };
};
async function join(made: Made, more: object = {}): Promise<Joined> {
  const key = newKey();
  return joinedBy(await ask('bots/join', { token: made.token.id, publicKey: key.raw, ...more }), key);
}
function renewal({ instance, generation, key }: Joined, next: Key, by: Key = key): object {
  const publicKey = next.raw;
  const text = Buffer.from(renewalText({ instance, generation, publicKey }));
  return { instance, generation, publicKey, signature: sign(null, text, by.privateKey).toString('base64url') };
}
const renew = (joined: Joined, next: Key = newKey(), by: Key = joined.key): Promise<Answer> =>
  ask('bots/renew', renewal(joined, next, by));
const as = ({ cookie, bearer }: Joined, method: string, path: string): Promise<Answer> =>
  call(rig.app, { method, url: `/v1/webapi/${path}`, cookie, bearer });
const events = async (type: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { json } = await ann.call('GET', `/v1/webapi/sites/-current-/events/search?include=${type}`);
  return (json as { events: readonly Readonly<Record<string, unknown>>[] }).events;
};

test('a bot joins once with its token, is a user of its own kind, and acts with its roles', async () => {
  const server = await rig.addServer('db-3');
  const made = await add();
  expect(made.line).toMatch(/^postern bot start --gateway \S+ --token t[0-9a-f]{10}\.\S{32}$/);
  const joined = await join(made);
  expect([joined.bot, joined.generation]).toEqual([made.bot.name, 1]);
  expect((await as(joined, 'GET', `sites/${CLUSTER}/nodes`)).body).toContain(server);
  expect((await as(joined, 'GET', 'users')).status).toBe(403);
  expect((await as(joined, 'GET', `sites/${CLUSTER}/context`)).body).toContain(`"bot-${made.bot.name}"`);
  const users = (await ann.call('GET', '/v1/webapi/users')).json as readonly { name: string; isBot: boolean }[];
  expect(users.find(({ name }) => name === made.bot.user)).toMatchObject({ isBot: true });
  expect(users.find(({ name }) => name === 'ann')).toMatchObject({ isBot: false });
  const [listed] = ((await ann.call('GET', '/v1/webapi/bots')).json as readonly Bot[]).filter(
    ({ name }) => name === made.bot.name,
  );
  expect(listed?.instances).toEqual([
    expect.objectContaining({ id: joined.instance, method: 'token', generation: 1, token: made.token.name }),
  ]);
  const again = await ask('bots/join', { token: made.token.id, publicKey: newKey().raw });
  expect([again.status, again.body]).toEqual([403, expect.stringContaining('used up')]);
  const log = await events('bot.join');
  expect(log).toContainEqual(
    expect.objectContaining({ code: 'TJ001I', bot_name: made.bot.name, method: 'token', token_name: made.token.name }),
  );
  expect(log).toContainEqual(expect.objectContaining({ code: 'TJ001E', error: expect.stringContaining('used up') }));
  expect(JSON.stringify(log)).not.toContain(made.token.id.split('.')[1]);
});

test('a bot signs in nowhere: no password is its own, and nobody can give it one', async () => {
  const { bot } = await add();
  await expect(rig.signIn(bot.user)).rejects.toThrow('invalid credentials');
  const link = await ann.call('POST', '/v1/webapi/users/password/token', { name: bot.user, type: 'password' });
  expect([link.status, link.body]).toEqual([400, expect.stringContaining('is a bot')]);
  const form = await ask('sessions/web', { user: bot.user, pass: PASSWORD });
  expect(form.status).toBe(403);
});

test('a bot opens no console: a browser with its cookie is told so and loses it, and the bot goes on', async () => {
  const made = await add();
  const joined = await join(made);
  const page = await call(rig.app, { method: 'GET', url: '/web', cookie: joined.cookie });
  expect([page.status, page.body]).toEqual([
    403,
    `This is the session of the bot ${made.bot.user}, and bots open no console. Load this page again to sign in as yourself.\n`,
  ]);
  expect(String(page.headers['set-cookie'])).toContain(
    '__Host-session=; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=0',
  );
  expect((await call(rig.app, { method: 'GET', url: '/web' })).status).toBe(200);
  expect((await as(joined, 'GET', `sites/${CLUSTER}/nodes`)).status).toBe(200);
});

test('each renewal takes the key of before and counts one up; a lost answer is asked for again and means no harm', async () => {
  const joined = await join(await add(), { ttl: '10m' });
  expect(Date.parse(joined.sessionExpires)).toBeLessThanOrEqual(Date.now() + 601_000);
  const next = newKey();
  const second = joinedBy(await renew(joined, next), next);
  expect(second.generation).toBe(2);
  // Its answer was lost: the same again, by the key of before, with the same key to come.
  const lost = joinedBy(await renew(joined, next), next);
  expect(lost.generation).toBe(2);
  const third = newKey();
  expect(joinedBy(await renew(lost, third), third).generation).toBe(3);
  expect((await as(joined, 'GET', 'user/status')).status).toBe(200);
});

test('a copy that somebody else has is found out by its generation: the bot is locked, and nothing of it counts any more', async () => {
  const made = await add();
  const joined = await join(made);
  const next = newKey();
  const real = joinedBy(await renew(joined, next), next);
  // The thief renews with what was on the disk before.
  const stolen = await renew(joined, newKey());
  expect([stolen.status, stolen.body]).toEqual([403, expect.stringContaining('old copy')]);
  expect((await as(real, 'GET', 'user/status')).status).toBe(403);
  expect((await renew(real)).status).toBe(403);
  const locks = (await ann.call('GET', `/v1/webapi/sites/${CLUSTER}/locks`)).json as readonly object[];
  expect(locks).toContainEqual(expect.objectContaining({ targets: { user: made.bot.user }, createdBy: 'system' }));
  expect(await events('cert.generation_mismatch')).toContainEqual(
    expect.objectContaining({ code: 'TCB00W', user: made.bot.user }),
  );
  const other = await ann.call('POST', '/v1/webapi/token', { roles: ['Bot'], bot_name: made.bot.name });
  const { id } = other.json as { id: string };
  const back = await ask('bots/join', { token: id, publicKey: newKey().raw });
  expect([back.status, back.body]).toEqual([403, expect.stringContaining('locked')]);
});

test('two that renew in the same moment with different keys are two: the bot is locked', async () => {
  const made = await add();
  const joined = await join(made);
  const statuses = (await Promise.all([renew(joined), renew(joined)])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 403]);
  expect(await events('cert.generation_mismatch')).toContainEqual(expect.objectContaining({ user: made.bot.user }));
});

test('nobody locks a bot who only knows its instance: a key that was never its own is refused and does nothing', async () => {
  const joined = await join(await add());
  const stranger = newKey();
  for (const generation of [1, 2, 7]) {
    const answer = await renew({ ...joined, generation }, stranger, stranger);
    expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('join again')]);
  }
  const next = newKey();
  expect(joinedBy(await renew(joined, next), next).generation).toBe(2);
});

test('what was not renewed in time is forgotten', async () => {
  const joined = await join(await add(), { ttl: '1m' });
  rig.later(61_000);
  expect((await renew(joined)).status).toBe(403);
  expect((await as(joined, 'GET', 'user/status')).status).toBe(403);
  ann = await rig.signIn('ann');
});

test('a lock on the bot, on its role, and its removal end what it has at once', async () => {
  const made = await add({ roles: ['auditor'] });
  const joined = await join(made);
  const locked = await ann.call('PUT', `/v1/webapi/sites/${CLUSTER}/locks`, {
    targets: { user: made.bot.user },
    message: 'rebuilt',
  });
  expect((await as(joined, 'GET', 'user/status')).status).toBe(403);
  expect((await renew(joined)).body).toContain('rebuilt');
  await ann.call('DELETE', `/v1/webapi/sites/${CLUSTER}/locks/${(locked.json as { name: string }).name}`);
  const next = newKey();
  const back = joinedBy(await renew(joined, next), next);
  expect((await as(back, 'GET', 'user/status')).status).toBe(200);
  expect((await ann.call('DELETE', `/v1/webapi/bots/${made.bot.name}`)).status).toBe(200);
  expect((await as(back, 'GET', 'user/status')).status).toBe(403);
  expect((await renew(back)).status).toBe(403);
  expect(await rig.store.resources.get('token', made.token.name)).toBeNull();
  expect((await ann.call('DELETE', `/v1/webapi/bots/${made.bot.name}`)).status).toBe(404);
});

test('who has no rule on bots makes, changes and sees none; roles are changed at once', async () => {
  await rig.addUser('eve', ['access'], []);
  const eve = await rig.signIn('eve');
  for (const [method, path] of [
    ['GET', 'bots'],
    ['POST', 'bots'],
    ['DELETE', 'bots/ci-1'],
  ] as const)
    expect(
      (await eve.call(method, `/v1/webapi/${path}`, method === 'POST' ? { name: 'x', roles: ['access'] } : undefined))
        .status,
    ).toBe(403);
  const made = await add();
  const joined = await join(made);
  const put = await ann.call('PUT', `/v1/webapi/bots/${made.bot.name}`, { roles: ['editor'] });
  expect(put.json).toMatchObject({ roles: ['editor'], traits: { logins: ['root'] } });
  expect((await as(joined, 'GET', 'users')).status).toBe(200);
});

test.each([
  [{ name: 'Big' }, 'lower-case'],
  [{ name: 'a', roles: [] }, 'at least one role'],
  [{ name: 'a', roles: ['nope'] }, 'is not the name of a role'],
  [{ name: 'a', roles: ['access'], join_method: 'github' }, 'needs rules'],
  [{ name: 'a', roles: ['access'], join_method: 'circleci' }, 'one of token, github'],
  [{ name: 'a', roles: ['access'], join_method: 'iam' }, 'a bot joins with another'],
  [{ name: 'a', roles: ['access'], join_method: 'github', github: { allow: [{ ref: 'x' }] } }, 'repository'],
  [{ name: 'a', roles: ['access'], github: { allow: [{ repository: 'a/b' }] } }, 'only with join_method github'],
  [
    { name: 'a', roles: ['access'], join_method: 'kubernetes', kubernetes: { allow: [{ service_account: 'a:b' }] } },
    'static_jwks',
  ],
])('%j makes no bot and no token', async (body, words) => {
  const before = await rig.store.resources.list('token', { limit: 1000, selection: null, count: true });
  const { status, json } = await ann.call('POST', '/v1/webapi/bots', body);
  expect([status, JSON.stringify(json)]).toEqual([400, expect.stringContaining(words)]);
  const after = await rig.store.resources.list('token', { limit: 1000, selection: null, count: true });
  expect(after.items.length).toBe(before.items.length);
});

test('a file makes bots and their tokens, shows them again, and takes them away with what could join', async () => {
  const yaml = `kind: bot
version: v1
metadata: {name: deploy}
spec: {roles: [access], traits: {logins: [root]}}
---
kind: token
version: v2
metadata: {name: deploy-github}
spec:
  roles: [Bot]
  bot_name: deploy
  join_method: github
  github: {allow: [{repository: acme/shop, ref: refs/heads/main}]}
`;
  const apply = (content: string) => rig.declared.apply([{ name: 'b.yaml', content }], { by: 'ann' });
  const first = await apply(yaml);
  expect([first.problems, first.resources.map(({ change }) => change)]).toEqual([[], ['created', 'created']]);
  expect((await apply(yaml)).resources.map(({ change }) => change)).toEqual(['unchanged', 'unchanged']);
  expect((await apply(yaml.replace('roles: [access]', 'roles: [auditor]'))).resources[0]?.change).toBe('updated');
  expect(await rig.declared.get('bot', 'deploy')).toContain('- auditor');
  expect(await rig.declared.get('token', 'deploy-github')).toContain('repository: acme/shop');
  expect((await rig.declared.list('bot')).map(({ name }) => name)).toContain('deploy');
  expect((await rig.declared.list('user')).map(({ name }) => name)).not.toContain('bot-deploy');
  await rig.addUser('bot-ann', ['access'], []);
  expect((await apply(yaml.replace('name: deploy}', 'name: ann}'))).problems.join()).toContain('who is no bot');
  await rig.declared.remove('bot', 'deploy', 'ann');
  expect(await rig.store.resources.get('token', 'deploy-github')).toBeNull();
  const codes = (await Promise.all(['bot.create', 'bot.update', 'bot.delete'].map(events))).flat();
  for (const code of ['TB001I', 'TB002I', 'TB003I'])
    expect(codes).toContainEqual(expect.objectContaining({ code, name: 'bot-deploy', user: 'ann' }));
});

test('a token for a bot lets in no server, and one for servers no bot', async () => {
  const made = await add();
  await expect(rig.services.tokens.find(made.token.id, 'Node')).rejects.toThrow('is for bots, not for servers');
  const other = (await ann.call('POST', '/v1/webapi/token', { roles: ['Node'] })).json as { id: string };
  const answer = await ask('bots/join', { token: other.id, publicKey: newKey().raw });
  expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('is for servers, not for bots')]);
});

test('a token made for a bot that there is comes with the line by which one more machine joins', async () => {
  const { bot } = await add();
  const { json } = await ann.call('POST', '/v1/webapi/token', { roles: ['Bot'], bot_name: bot.name, uses: 1 });
  const { id, lines } = json as { readonly id: string; readonly lines: readonly unknown[] };
  const [line] = lines as readonly [{ readonly role: string; readonly line: string }];
  expect(line.role).toBe('Bot');
  expect(line.line).toMatch(
    new RegExp(`^postern bot start --gateway https?://\\S+ --token ${id.replace('.', '\\.')}$`),
  );
});

// What a root says of a second factor counts for the person and the web session that it names, and once.
import { expect, test } from 'vitest';
import type { AskedSessions } from '../../ports/who.ts';
import type { Resource } from '../../store/store.ts';
import { person } from '../sessions/sessions.testing.ts';
import { createAsserting, createChecking } from './assertion.ts';
import { createVisitors } from './visitors.ts';

const kept = new Map<string, unknown>();
const settings = {
  get: async (name: string) => kept.get(name) ?? null,
  async putIfAbsent<Value>(name: string, value: Value) {
    kept.set(name, value);
    return value;
  },
};
const secrets = { seal: async (secret: string) => secret, open: (sealed: string) => sealed };
const asserting = createAsserting({ settings, secrets }, 'hub');

async function openVisitors() {
  const spec = {
    ...{ enabled: true, tunnelAddr: '127.0.0.1:1', webProxyAddr: '127.0.0.1:2', publicKey: '', sealedKey: '' },
    roleMap: [{ remote: 'access', local: ['access'] }],
    ...{ sealedToken: null, joined: { hostKey: '', identityKey: await asserting.publicKey() } },
  };
  return createVisitors({
    resources: { get: async () => ({ name: 'hub', spec }) as unknown as Resource },
    checking: createChecking('eu'),
    rights: { rightsOf: async () => person('ann').rights, isPower: async () => false },
    barring: async () => null,
    changes: { emit: () => undefined },
  });
}
const ann = person('ann');
const factorOf = (who: typeof ann): Promise<string> => asserting.factor(who, 'eu', 'key-1');
const REFUSED = 'the second factor that the root cluster speaks of could not be checked';

test('a factor of another person, or of another web session of theirs, lets nobody in', async () => {
  const visitors = await openVisitors();
  const said = await asserting.assertion(ann, 'eu');
  for (const other of [person('bob'), { ...ann, webSessionId: 'another' }, { ...ann, userId: 'another' }])
    await expect(visitors.meet('hub', said, await factorOf(other))).rejects.toThrow(REFUSED);
  for (const none of ['', 'a.b.c', said]) await expect(visitors.meet('hub', said, none)).rejects.toThrow(REFUSED);
});

test('their own is that of the request that it came with, and of no other', async () => {
  const visitors = await openVisitors();
  const said = await asserting.assertion(ann, 'eu');
  const factor = await factorOf(ann);
  const shown = await visitors.meet('hub', said, factor);
  expect(shown.device).toBe('/hub/key-1');
  await expect(visitors.meet('hub', said, factor)).rejects.toThrow(REFUSED);
  const plain = await visitors.meet('hub', said);
  expect(plain.device).toBeUndefined();
  const { authenticate } = visitors.sessions<AskedSessions>({
    authenticate: async () => ann,
    again: async () => ann,
    over: async () => null,
    active: () => undefined,
  });
  const given = { cookie: undefined, bearer: undefined, remoteAddr: '' };
  const whos = await Promise.all([shown, plain].map(visit => authenticate({ ...given, visit })));
  expect(whos.map(({ shownDevice }) => shownDevice)).toEqual(['/hub/key-1', undefined]);
});

// Keeping resources: create, replace, revisions, expiry.
import { expect, test } from 'vitest';
import { onBothEngines, person, serverNamed } from '../store.testing.ts';
import type { ResourceQuery } from '../store.ts';

const failure = (code: string) => expect.objectContaining({ name: 'Failure', code });
const all: ResourceQuery = { limit: 100, selection: null, count: true };
const names = (page: { readonly items: readonly { readonly name: string }[] }) => page.items.map(({ name }) => name);

onBothEngines(({ open }) => {
  test('a resource comes back as it was created, with its first revision', async () => {
    const { resources } = await open({ clock: () => new Date('2026-05-06T07:08:09.123Z') });
    const wanted = serverNamed('a-1', {
      title: 'Ünïcode 🐘',
      description: 'say "hi"\n100%',
      address: '[::1]:22',
      labels: { env: 'prod', 'a/b.c_*': '', quote: 'x"y\\z' },
      words: ['tunnel', 'TÜR'],
      spec: { hostKeys: ['k'], deep: { list: [1, null, true] } },
      expires: new Date('2030-01-01T00:00:00Z'),
    });
    const stored = {
      ...wanted,
      revision: 1,
      created: new Date('2026-05-06T07:08:09.123Z'),
      updated: new Date('2026-05-06T07:08:09.123Z'),
    };
    expect(await resources.create(wanted)).toEqual(stored);
    expect(await resources.get('node', 'a-1')).toEqual(stored);
    expect((await resources.list('node', all)).items).toEqual([stored]);
    expect(await resources.get('app', 'a-1')).toBeNull();
  });

  test('those of some names are read at once; of no names, and of unknown ones, there are none', async () => {
    const { resources } = await open();
    for (const name of ['b', 'a', 'c']) await resources.create(serverNamed(name));
    const named = async (...names: string[]) => (await resources.named('node', names)).map(({ name }) => name);
    expect(await named('c', 'a', 'nowhere')).toEqual(['a', 'c']);
    expect(await named()).toEqual([]);
  });

  test('creating what exists is refused, in one kind only', async () => {
    const { resources } = await open();
    await resources.create(serverNamed('a'));
    await expect(resources.create(serverNamed('a'))).rejects.toEqual(failure('exists'));
    await resources.create(serverNamed('a', { kind: 'app' }));
    expect((await resources.list('app', all)).totalCount).toBe(1);
  });

  test('replacing counts the revision up and keeps the time of creation', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const { resources } = await open({ clock: () => now });
    const created = now;
    await resources.put(serverNamed('a', { labels: { env: 'dev' } }));
    now = new Date('2026-01-02T00:00:00Z');
    expect(await resources.put(serverNamed('a', { labels: { env: 'prod' } }))).toMatchObject({
      revision: 2,
      created,
      updated: now,
      labels: { env: 'prod' },
    });
    const selected = (value: string) =>
      resources.list('node', {
        ...all,
        selection: { allow: [{ labels: { env: [value] }, expression: null }], deny: [], user: person },
      });
    expect([names(await selected('dev')), names(await selected('prod'))]).toEqual([[], ['a']]);
    expect([
      names(await resources.list('node', { ...all, search: 'dev' })),
      names(await resources.list('node', { ...all, search: 'prod' })),
    ]).toEqual([[], ['a']]);
  });

  test('of two people who replace the same revision, the second hears that it changed', async () => {
    const { resources } = await open();
    const { revision } = await resources.create(serverNamed('a'));
    const outcomes = await Promise.allSettled(
      ['one', 'two'].map(title => resources.put(serverNamed('a', { title }), revision)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(resources.put(serverNamed('a'), revision)).rejects.toEqual(failure('changed'));
    await expect(resources.put(serverNamed('b'), 1)).rejects.toEqual(failure('not_found'));
  });

  test('what has expired is not there: not read, listed, counted, found, replaced by revision or deleted, but its name is free', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const { resources } = await open({ clock: () => now });
    const labels = { env: 'prod' };
    await resources.create(serverNamed('short', { labels, expires: new Date('2026-01-01T00:01:00Z') }));
    await resources.create(serverNamed('long', { labels, expires: null }));
    expect((await resources.list('node', all)).totalCount).toBe(2);
    now = new Date('2026-01-01T00:01:00Z');
    expect(await resources.get('node', 'short')).toBeNull();
    const selection = { allow: [{ labels: { env: ['prod'] }, expression: null }], deny: [], user: person };
    for (const more of [
      {},
      { search: 'prod' },
      { search: 'o' },
      { search: 'long' },
      { search: 'on' },
      { selection },
      { search: 'prod', selection },
    ]) {
      const page = await resources.list('node', { ...all, ...more });
      expect([names(page), page.totalCount]).toEqual([['long'], 1]);
    }
    await expect(resources.put(serverNamed('short'), 1)).rejects.toEqual(failure('not_found'));
    expect(await resources.delete('node', 'short')).toBe(false);
    expect((await resources.create(serverNamed('short', { title: 'anew' }))).created).toEqual(now);
    expect(await resources.delete('node', 'short')).toBe(true);
    expect(await resources.delete('node', 'short')).toBe(false);
    expect((await resources.list('node', { ...all, search: 'anew' })).totalCount).toBe(0);
  });

  test('many at once are kept, the last of a name wins, and bad ones keep their thousand out', async () => {
    const { resources } = await open();
    await resources.putMany([
      ...Array.from({ length: 1500 }, (_, index) => serverNamed(`s-${index}`)),
      serverNamed('s-7', { title: 'last' }),
    ]);
    expect((await resources.list('node', { ...all, limit: 1 })).totalCount).toBe(1500);
    expect((await resources.get('node', 's-7'))?.title).toBe('last');
    await expect(resources.putMany([serverNamed('x'), serverNamed('')])).rejects.toEqual(failure('bad_request'));
    expect(await resources.get('node', 'x')).toBeNull();
  });

  test('text that PostgreSQL or an index could not hold is refused, naming the field', async () => {
    const { resources } = await open();
    const refused = {
      title: { title: 'a\0' },
      description: { description: '\udfff' },
      spec: { spec: 'x'.repeat(2 ** 20) },
      name: { name: 'n'.repeat(513) },
      'labels.env': { labels: { env: '\0' } },
    };
    for (const [field, more] of Object.entries(refused))
      await expect(resources.create(serverNamed('a', more))).rejects.toEqual(
        expect.objectContaining({ code: 'bad_request', fields: { [field]: expect.any(String) } }),
      );
    const long = { title: 'ü'.repeat(5000), description: '🐘'.repeat(5000), labels: { long: 'é'.repeat(5000) } };
    await resources.create(serverNamed('long', long));
    const selection = { allow: [{ labels: { long: ['é'.repeat(5000)] }, expression: null }], deny: [], user: person };
    expect(names(await resources.list('node', { ...all, selection }))).toEqual(['long']);
  });
});

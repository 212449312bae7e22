import { expect, test } from 'vitest';
import { onBothEngines } from './store.testing.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const place = (sid: string, userId = 'alice', gateway = 'one') => ({ sid, userId, gateway, until: at(60) });

onBothEngines(({ open }) => {
  test('a person has as many places as allowed, over all gateways, and no other person counts', async () => {
    const { sessionPlaces } = await open();
    expect(await sessionPlaces.take(place('a'), 2, at(0))).toEqual({ taken: true, others: 0 });
    expect(await sessionPlaces.take(place('b', 'alice', 'two'), 2, at(0))).toEqual({ taken: true, others: 1 });
    expect(await sessionPlaces.take(place('c'), 2, at(0))).toEqual({ taken: false, others: 2 });
    expect(await sessionPlaces.take(place('d', 'bob'), 1, at(0))).toEqual({ taken: true, others: 0 });
    await sessionPlaces.release('a');
    expect(await sessionPlaces.take(place('e'), 2, at(0))).toEqual({ taken: true, others: 1 });
  });

  test('of many at the same moment exactly as many are let in as there is room for', async () => {
    const { sessionPlaces } = await open();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        sessionPlaces.take(place(`s${index}`, 'alice', `g${index % 2}`), 5, at(0)),
      ),
    );
    expect(answers.filter(({ taken }) => taken)).toHaveLength(5);
  });

  test('places of a gateway that no longer says they live run out; those it still has are kept, those it lost are not', async () => {
    const { sessionPlaces } = await open();
    for (const sid of ['a', 'b', 'c']) await sessionPlaces.take(place(sid), 9, at(0));
    await sessionPlaces.take(place('d', 'alice', 'killed'), 9, at(0));
    expect(await sessionPlaces.keep('one', ['a', 'b'], at(90))).toEqual(['c']);
    expect(await sessionPlaces.take(place('e', 'alice', 'two'), 3, at(59))).toEqual({ taken: false, others: 3 });
    expect(await sessionPlaces.take(place('e', 'alice', 'two'), 3, at(61))).toEqual({ taken: true, others: 2 });
    expect((await sessionPlaces.prune(at(61))).toSorted()).toEqual(['d', 'e']);
    expect(await sessionPlaces.prune(at(61))).toEqual([]);
    await sessionPlaces.keep('one', [], at(120));
    expect(await sessionPlaces.take(place('f'), 1, at(59))).toEqual({ taken: true, others: 0 });
  });
});

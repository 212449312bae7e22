// Places in access lists, their reviews, and what each person has read of what they were told, on both engines.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onBothEngines } from './store.testing.ts';
import type { AccessListPlace } from './store.ts';

const place = (list: string, name: string, more: Partial<AccessListPlace> = {}): AccessListPlace => ({
  ...{ list, name, relation: 'member', kind: 'user', reason: '', addedBy: 'ann' },
  added: new Date('2026-11-01T00:00:00.000Z'),
  expires: null,
  ...more,
});
const short = (places: readonly AccessListPlace[]) =>
  places.map(({ list, relation, kind, name }) => `${list} ${relation} ${kind} ${name}`).sort();

onBothEngines(({ open }) => {
  test('whoever is in a list is in those that it is in, through any number of lists, also where they go in a circle', async () => {
    const { accessLists } = await open();
    await accessLists.put(place('deep', 'kim'));
    await accessLists.put(place('middle', 'deep', { kind: 'list' }));
    await accessLists.put(place('top', 'middle', { kind: 'list' }));
    await accessLists.put(place('deep', 'top', { kind: 'list' }));
    await accessLists.put(place('top', 'middle', { kind: 'list', relation: 'owner' }));
    await accessLists.put(place('other', 'rae'));
    // Whoever owns a list is in nothing that it is in.
    await accessLists.put(place('owned', 'kim', { relation: 'owner' }));
    await accessLists.put(place('above-owned', 'owned', { kind: 'list' }));
    expect(short(await accessLists.above('kim'))).toEqual([
      'deep member list top',
      'deep member user kim',
      'middle member list deep',
      'owned owner user kim',
      'top member list middle',
      'top owner list middle',
    ]);
    expect(short(await accessLists.above('nobody'))).toEqual([]);
    expect(await accessLists.nested()).toHaveLength(5);
  });

  test('a place is kept whole, replaced by the next, and taken away once', async () => {
    const { accessLists } = await open();
    const first = place('on-call', 'kim', { expires: new Date('2027-01-01T00:00:00.123Z'), reason: 'rota' });
    await accessLists.put(first);
    expect(await accessLists.places(['on-call'])).toEqual([first]);
    await accessLists.put({ ...first, expires: null, addedBy: 'rae' });
    expect(await accessLists.places(null)).toEqual([{ ...first, expires: null, addedBy: 'rae' }]);
    expect([await accessLists.remove(first), await accessLists.remove(first)]).toEqual([true, false]);
    expect(await accessLists.places([])).toEqual([]);
  });

  test('the next end is the first that is still to come', async () => {
    const { accessLists } = await open();
    const at = (day: number) => new Date(Date.UTC(2027, 0, day));
    expect(await accessLists.nextEnd(at(1))).toBeNull();
    await accessLists.put(place('on-call', 'kim', { expires: at(3) }));
    await accessLists.put(place('on-call', 'rae', { expires: at(2) }));
    await accessLists.put(place('on-call', 'zed'));
    expect([await accessLists.nextEnd(at(1)), await accessLists.nextEnd(at(2))]).toEqual([at(2), at(3)]);
    expect(await accessLists.nextEnd(at(3))).toBeNull();
  });

  test('owners are those who are named, and a list that is forgotten is nowhere any more', async () => {
    const { accessLists } = await open();
    const owner = (name: string, more: Partial<AccessListPlace> = {}) =>
      place('l', name, { relation: 'owner', ...more });
    await accessLists.own('l', [owner('ann', { reason: 'first' }), owner('bob')]);
    await accessLists.own('l', [owner('ann', { reason: 'again' }), owner('cyd')]);
    expect((await accessLists.places(['l'])).map(({ name, reason }) => [name, reason])).toEqual([
      ['ann', 'first'],
      ['cyd', ''],
    ]);
    await accessLists.put(place('l', 'kim'));
    await accessLists.put(place('m', 'l', { kind: 'list' }));
    const review = { id: randomUUID(), list: 'l', reviewer: 'ann', review: { notes: 'kept', removed: [] } };
    await accessLists.addReview({ ...review, time: new Date('2026-11-02T00:00:00.000Z') });
    await accessLists.addReview({ ...review, id: randomUUID(), time: new Date('2026-11-03T00:00:00.000Z') });
    const [newest] = await accessLists.reviews('l', 1);
    expect(newest).toMatchObject({
      reviewer: 'ann',
      time: new Date('2026-11-03T00:00:00.000Z'),
      review: review.review,
    });
    expect(await accessLists.forget('l')).toBe(1);
    expect([await accessLists.places(null), await accessLists.reviews('l', 10)]).toEqual([[], []]);
  });

  test('what somebody has read stays read for them alone, until it is too old to be told', async () => {
    const { notificationReads } = await open();
    const at = new Date('2026-11-02T00:00:00.000Z');
    await notificationReads.add('u1', ['request:1', 'lock:2'], at);
    await notificationReads.add('u1', ['request:1'], new Date('2026-11-09T00:00:00.000Z'));
    await notificationReads.add('u1', ['request:3'], new Date('2026-11-09T00:00:00.000Z'));
    expect([...(await notificationReads.of('u1'))].sort()).toEqual(['lock:2', 'request:1', 'request:3']);
    expect((await notificationReads.of('u2')).size).toBe(0);
    await notificationReads.prune(new Date('2026-11-03T00:00:00.000Z'));
    expect([...(await notificationReads.of('u1'))]).toEqual(['request:3']);
  });
});

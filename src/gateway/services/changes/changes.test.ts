import { expect, test } from 'vitest';
import type { Change } from '../../ports/changes.ts';
import { createChanges } from './changes.ts';

const change: Change = { kind: 'userRemoved', user: 'ann' };

test('each listener hears each change until it unsubscribes', () => {
  const heard: string[] = [];
  const changes = createChanges(() => undefined);
  const listener = ({ kind }: Change): void => void heard.push(kind);
  const first = changes.subscribe(listener);
  changes.subscribe(listener);
  changes.emit(change);
  first();
  first();
  changes.emit({ kind: 'roleChanged', role: 'access' });
  expect(heard).toEqual(['userRemoved', 'userRemoved', 'roleChanged']);
});

test('a listener that fails, at once or later, is reported and keeps nothing from the others', async () => {
  const reports: unknown[] = [];
  const heard: string[] = [];
  const changes = createChanges((_problem, error) => reports.push(error));
  const late = Promise.reject(new Error('late'));
  changes.subscribe(() => {
    throw new Error('at once');
  });
  changes.subscribe(() => late);
  changes.subscribe(({ kind }) => void heard.push(kind));
  changes.emit(change);
  await late.catch(() => undefined);
  expect([heard, reports]).toEqual([['userRemoved'], [new Error('at once'), new Error('late')]]);
});

test('a listener that unsubscribes another while a change is told does not disturb the round', () => {
  const heard: string[] = [];
  const changes = createChanges(() => undefined);
  changes.subscribe(() => second());
  const second = changes.subscribe(({ kind }) => void heard.push(kind));
  changes.emit(change);
  changes.emit(change);
  expect(heard).toEqual(['userRemoved']);
});

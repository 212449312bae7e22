import { expect, test } from 'vitest';
import { readRecordingsQuery, recordingSuggestions } from './query.ts';
import type { Recording } from './recording.ts';

const row = (more: Partial<Recording> & { readonly cut?: boolean } = {}): Recording => ({
  sid: 's',
  hostname: 'db-3',
  users: 'alice, bob',
  durationMs: 1000,
  created: '2026-03-01T10:00:00Z',
  type: 'ssh',
  refused: undefined,
  event: { event: 'session.end', code: 'T2004I', time: '', uid: '', recording_cut: more.cut },
  ...more,
});
const fits = (line: string, one: Recording): boolean => {
  const read = readRecordingsQuery(line);
  if (typeof read === 'string') throw new Error(read);
  return read.fits(one, 'db-3 alice, bob');
};

test.each([
  ['', true],
  ['ALICE db', true],
  ['carol', false],
  ['user:bob host:db kind:ssh is:playable', true],
  ['user:ali', false],
  ['host:web', false],
  ['kind:desktop', false],
  ['is:cut', false],
])('%s of a session on db-3: %s', (line, expected) => expect(fits(line, row())).toBe(expected));

test('a recording that was cut short is one', () => expect(fits('is:cut', row({ cut: true }))).toBe(true));

test('the text is what stands in the quotes', () => {
  expect(readRecordingsQuery('alice text:"rm -rf: no"')).toMatchObject({ text: 'rm -rf: no' });
});

test.each([
  ['text:"-"', 'at least 2 letters'],
  ['text:', 'text: is followed by a text that was printed'],
  ['kind:tape', 'kind: is one of ssh, k8s, db, app, desktop'],
  ['is:lost', 'is: is one of cut, playable'],
  ['user:a user:b', 'user: stands here twice'],
  ['usr:a', 'did you mean user:?'],
])('%s is refused with what is allowed', (line, said) => expect(readRecordingsQuery(line)).toContain(said));

test('keys are offered, and behind them what the rows hold', () => {
  const offered = (text: string) => recordingSuggestions(text, text.length, [row()]).map(one => one.text);
  expect(offered('')).toEqual(['text:', 'user:', 'host:', 'kind:', 'is:']);
  expect(offered('db user:a')).toEqual(['alice ']);
  expect(offered('kind:')).toEqual(['ssh ', 'k8s ', 'db ', 'app ', 'desktop ']);
});

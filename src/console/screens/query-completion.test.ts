import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePredicate } from '../../contract/predicate.ts';
import { seen } from './labels-seen.ts';
import { suggestionsAt, taken } from './query-completion.ts';

const labels = seen(new Map(), [
  { name: 'env', value: 'prod' },
  { name: 'env', value: 'dev' },
  { name: 'team', value: 'a "b"' },
]);
const titles = (text: string, caret = text.length) => suggestionsAt(text, caret, labels).map(one => one.title);

test('an empty filter offers fields and functions', () => {
  expect(titles('').slice(0, 3)).toEqual(['labels["…"]', 'name', 'search("…")']);
});

test('label names are offered inside the brackets, and values after the comparison', () => {
  expect(titles('labels["')).toEqual(['env', 'team']);
  expect(titles('labels["te')).toEqual(['team']);
  expect(titles('labels["env"] == "')).toEqual(['dev', 'prod']);
  expect(titles('labels.env != "p')).toEqual(['prod']);
  expect(titles('hasPrefix(labels["env"], "d')).toEqual(['dev', 'prod']);
});

test('a label is found by its bare name', () => {
  expect(suggestionsAt('env', 3, labels)).toContainEqual({
    title: 'labels["env"]',
    text: 'labels["env"] == "',
    detail: 'label',
    start: 0,
  });
});

test('after a whole comparison it goes on with and, or', () => {
  expect(titles('labels["env"] == "prod"')).toEqual(['&&', '||']);
  expect(titles('exists(labels["env"]) ')).toEqual(['&&', '||']);
  expect(titles('name ')).toEqual(['==', '!=']);
});

test('inside any other text nothing is offered', () => {
  expect(titles('name == "en')).toEqual([]);
  expect(titles('search("la')).toEqual([]);
});

test('taking a suggestion replaces what was typed and doubles no closing quote', () => {
  const offer = suggestionsAt('labels["te"]', 10, labels)[0];
  expect(offer && taken('labels["te"]', 10, offer)).toEqual({ text: 'labels["team"]', caret: 14 });
  const value = suggestionsAt('labels["env"] == "p" && x', 19, labels)[0];
  expect(value && taken('labels["env"] == "p" && x', 19, value)).toEqual({
    text: 'labels["env"] == "prod" && x',
    caret: 23,
  });
});

test('a filter made of suggestions alone can be read by the gateway', () => {
  let text = '';
  for (const want of ['labels["…"]', 'team', '==', 'a "b"', '||', 'name', '!=']) {
    const offer = suggestionsAt(text, text.length, labels).find(one => one.title === want);
    expect(offer, `${want} after ${text}`).toBeDefined();
    if (offer) text = taken(text, text.length, offer).text;
    if (want === 'name') text += ' ';
  }
  expect(() => parsePredicate(`${text}x"`, 'query')).not.toThrow();
});

test('no text and no caret breaks it, and what is remembered stays bounded', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(40), (text, caret) => {
      for (const one of suggestionsAt(text, Math.min(caret, text.length), labels)) taken(text, caret, one);
    }),
    { numRuns: 300 },
  );
  const many = Array.from({ length: 500 }, (_, at) => ({ name: `n${at}`, value: 'v' }));
  expect(seen(new Map(), many).size).toBe(200);
});

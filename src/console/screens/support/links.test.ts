import { expect, test } from 'vitest';
import { deployment, everyRight, person } from '../../../features/person.testing.ts';
import { columnsFor } from './links.ts';

const everyone = { who: person(everyRight), config: deployment() };
const hrefs = (asking: Parameters<typeof columnsFor>[0]): readonly string[] =>
  columnsFor(asking, '1.2.3').flatMap(({ entries }) =>
    entries.flatMap(entry => (entry.kind === 'address' ? entry.href : [])),
  );

test('there are four link columns, and none is empty for anyone', () => {
  for (const asking of [everyone, { who: person(), config: deployment() }]) {
    const columns = columnsFor(asking, '1.2.3');
    expect(columns.map(({ title }) => title)).toEqual(['Support', 'Resources', 'Troubleshooting', 'Updates']);
    expect(columns.every(({ entries }) => entries.length > 0)).toBe(true);
  }
});

test('pages that a person does not reach are not linked', () => {
  const pages = (asking: Parameters<typeof columnsFor>[0]) =>
    columnsFor(asking, '1.2.3').flatMap(({ entries }) =>
      entries.flatMap(entry => (entry.kind === 'page' ? entry.id : [])),
    );
  expect(pages(everyone)).toEqual(['manual', 'audit', 'activeSessions', 'clusters']);
  expect(pages({ who: person(['events.list']), config: deployment() })).toEqual(['manual', 'audit']);
});

test.each([
  ['https://help.example.com', 'https://help.example.com/?product=postern&version=1.2.3'],
  [
    'https://help.example.com/new?team=a#form',
    'https://help.example.com/new?team=a&product=postern&version=1.2.3#form',
  ],
])('the link to the help desk %s carries product and version', (supportUrl, href) => {
  expect(hrefs({ ...everyone, config: deployment({ supportUrl }) })[0]).toBe(href);
});

test('without a help desk none is linked', () =>
  expect(hrefs(everyone).some(href => href.includes('product='))).toBe(false));

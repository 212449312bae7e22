import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { factsWith } from '../../../commands/tools.testing.ts';
import { type HelpSheet, helpSheet } from './help.ts';
import { createKeymap } from './keymap.ts';

const keymap = createKeymap({ commands, facts: () => factsWith(), run: () => {}, mac: false, later: () => () => {} });
const ids = (groups: HelpSheet['here']): string[] => groups.flatMap(group => group.rows.map(row => row.id));

test('every command with keys is on the sheet, once', () => {
  const { here, elsewhere } = helpSheet(commands, factsWith(), keymap, '');
  const withKeys = commands.filter(row => (row.keys ?? row.terminalKeys) !== undefined).map(row => row.id);
  expect([...ids(here), ...ids(elsewhere)].sort()).toEqual([...withKeys].sort());
});

test('what works here comes first; on a page without a list its keys are elsewhere', () => {
  expect(ids(helpSheet(commands, factsWith({ feature: 'nodes' }), keymap, '').here)).toContain('list.next');
  const onSupport = helpSheet(commands, factsWith({ feature: 'support' }), keymap, '');
  expect(ids(onSupport.here)).not.toContain('list.next');
  expect(ids(onSupport.elsewhere)).toContain('list.next');
});

test('the search looks at titles, words and keys', () => {
  const found = (typed: string) => ids(helpSheet(commands, factsWith(), keymap, typed).here);
  expect(found('palette')).toContain('palette.open');
  expect(found('mod+k')).toContain('palette.open');
  expect(found('audit log')).toEqual(['goto.audit']);
  expect(found('no such thing')).toEqual([]);
});

test('keys that a person took away are not on the sheet', () => {
  const own = createKeymap({ commands, facts: () => factsWith(), run: () => {}, mac: false, later: () => () => {} });
  own.rebind({ 'list.mark': '' });
  expect(ids(helpSheet(commands, factsWith(), own, '').here)).not.toContain('list.mark');
});

import { expect, test } from 'vitest';
import { isReloadKey, wouldLose } from './leaving.ts';
import { createTab, type Tab } from './tab.ts';
import type { TerminalState } from './terminals.ts';

const holding = (tab: Partial<Tab>): TerminalState =>
  ({
    tabs: [
      Object.assign(
        createTab({ key: 't', clusterId: 'c', sid: 's', serverId: 'n', login: 'l', title: 't', mode: 'peer' }),
        tab,
      ),
    ],
  }) as TerminalState;

test.each([
  ['a young one', { since: 80_000, status: 'connected' }, false],
  ['one in use', { since: 60_000, status: 'connected' }, true],
  ['one on its way back', { since: 60_000, status: 'reconnecting' }, true],
  ['one that is over', { since: 60_000, status: 'refused' }, false],
  ['one that never connected', { since: 0, status: 'connecting' }, false],
] as const)('leaving the page with %s asks: %s', (_what, tab, asks) =>
  expect(wouldLose(holding(tab), 100_000, 30_000)).toBe(asks),
);

test.each([
  [{ key: 'F5', ctrlKey: false, metaKey: false }, true],
  [{ key: 'r', ctrlKey: true, metaKey: false }, true],
  [{ key: 'R', ctrlKey: false, metaKey: true }, true],
  [{ key: 'w', ctrlKey: true, metaKey: false }, false],
  [{ key: 'r', ctrlKey: false, metaKey: false }, false],
])('%j reloads: %s', (event, reloads) => expect(isReloadKey(event)).toBe(reloads));

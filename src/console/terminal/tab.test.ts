import { expect, test } from 'vitest';
import { connectionOf, createTab } from './tab.ts';

const tab = () =>
  createTab({ key: 't1', clusterId: 'c', sid: 's', serverId: 'n', login: 'root', title: 'root@n', mode: 'peer' });

test.each([
  { kind: 'reconnecting', text: 'Nothing was heard', lostAt: 5, retryAt: 9 },
  { kind: 'refused', text: 'Access denied', gone: false },
  { kind: 'connecting' },
] as const)('without a connection nothing is said of the recording and the round trip: $kind', state => {
  const connected = { ...tab(), status: 'connected', recording: 'strict', latency: { ws: 1, ssh: 2 } } as const;
  expect({ ...connected, ...connectionOf(state) }).toMatchObject({
    status: state.kind,
    problem: 'text' in state ? state.text : '',
    lostAt: 'lostAt' in state ? state.lostAt : null,
    recording: null,
    latency: null,
  });
});

test('the session frame of a new connection tells of the recording before the tab counts as connected', () => {
  const again = { ...tab(), recording: 'best_effort', lostAt: 7 } as const;
  expect({ ...again, ...connectionOf({ kind: 'connected' }) }).toMatchObject({
    status: 'connected',
    recording: 'best_effort',
    lostAt: null,
  });
});

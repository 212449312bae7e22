import { proxy } from 'valtio/vanilla';
import { expect, test } from 'vitest';
import type { Call } from '../../contract/call.ts';
import { createBroadcast } from './broadcast.ts';
import type { TerminalPorts } from './ports.ts';
import { createTab, type Tab } from './tab.ts';
import { emptyState } from './terminals.ts';

const tabOf = (key: string, more: Partial<Tab> = {}): Tab => ({
  ...createTab({
    key,
    clusterId: 'main',
    sid: `s-${key}`,
    serverId: key,
    login: 'root',
    title: `root@${key}`,
    mode: 'peer',
  }),
  status: 'connected',
  ...more,
});
/** Valtio tells its listeners one microtask later. */
const told = (): Promise<void> => new Promise(done => queueMicrotask(() => queueMicrotask(done)));

function started(tabs: readonly Tab[], refuses = false) {
  const state = Object.assign(emptyState(), { tabs: tabs.map(tab => proxy(tab)) });
  const done: string[] = [];
  const call = async ({ method }: Call, given: { readonly body?: { readonly sids: readonly string[] } }) => {
    if (refuses) throw new Error('session not found');
    done.push(`${method} ${given.body?.sids.join() ?? ''}`.trim());
    return { id: 'b1' };
  };
  const ports = { call, notify: (text: string) => void done.push(text) } as unknown as TerminalPorts;
  const broadcast = createBroadcast(
    { state, ports },
    (key, input) => void done.push(`${key} ${JSON.stringify(input)}`),
  );
  return { state, broadcast, done: () => done.splice(0) };
}

test('what is typed into one goes to all that were chosen, and to nobody after the end', async () => {
  const { state, broadcast, done } = started([tabOf('a'), tabOf('b'), tabOf('c'), tabOf('d', { mode: 'observer' })]);
  broadcast.typed('a', 'x');
  expect(done()).toEqual([]);
  await broadcast.begin(['a', 'b', 'd']);
  expect(done()).toEqual(['POST s-a,s-b', 'What is typed goes to 2 terminals']);
  broadcast.typed('a', 'ls\r');
  broadcast.typed('c', 'no');
  expect(done()).toEqual(['b "ls\\r"']);
  expect(broadcast.targets('b').map(({ key }) => key)).toEqual(['a', 'b']);
  expect(broadcast.targets('c').map(({ key }) => key)).toEqual(['c']);
  broadcast.stop();
  await told();
  expect(done()).toEqual(['What is typed goes to one terminal again', 'DELETE']);
  broadcast.typed('a', 'x');
  expect([done(), state.broadcast]).toEqual([[], []]);
});

test.each([
  '\x1b[?62;22c',
  '\x1b[0n',
  '\x1b[12;40R',
  '\x1b[I',
  '\x1b[O',
  '\x1b[<0;3;4M',
  '\x1b[?2026;2$y',
  '\x1bP1$r0m\x1b\\',
  '\x1b]10;rgb:0/0/0\x07',
])('what a terminal answers by itself, %j, stays its own', async answer => {
  const { broadcast, done } = started([tabOf('a'), tabOf('b')]);
  await broadcast.begin(['a', 'b']);
  done();
  broadcast.typed('a', answer);
  expect(done()).toEqual([]);
});
test.each(['\x1b[A', '\x1bOA', '\x1b[1;5C', '\x1b[3~', '\x1b', '\x1bb', '\x03'])(
  'a key, %j, goes to all',
  async key => {
    const { broadcast, done } = started([tabOf('a'), tabOf('b')]);
    await broadcast.begin(['a', 'b']);
    done();
    broadcast.typed('a', key);
    expect(done()).toEqual([`b ${JSON.stringify(key)}`]);
  },
);

test('a terminal that is lost leaves, which is said, and the last one alone ends it', async () => {
  const { state, broadcast, done } = started([tabOf('a'), tabOf('b'), tabOf('c')]);
  await broadcast.begin(['a', 'b', 'c']);
  done();
  Object.assign(state.tabs[2] as Tab, { status: 'reconnecting' });
  await told();
  expect(done()).toEqual(['A terminal has left the broadcast: closed or not connected']);
  state.tabs.splice(0, 1);
  await told();
  expect(done()[0]).toMatch(/only one/);
  expect(state.broadcast).toEqual([]);
});

test('nothing is broadcast that the gateway refuses', async () => {
  const { state, broadcast, done } = started([tabOf('a'), tabOf('b')], true);
  await broadcast.begin(['a', 'b']);
  expect([state.broadcast, done()]).toEqual([[], ['session not found']]);
  await broadcast.begin(['a']);
  expect(done()).toEqual(['A broadcast needs two connected terminals']);
});

import { expect, test } from 'vitest';
import { webConfig } from '../../contract/config.ts';
import { createTerminals } from './on-demand.ts';
import type { TextStorage } from './ports.ts';

const memory = (saved?: string): TextStorage => ({
  getItem: () => saved ?? null,
  setItem: () => undefined,
  removeItem: () => undefined,
});

function started(saved?: string) {
  const held: string[] = [];
  const terminals = createTerminals({
    clusterId: () => 'c1',
    token: () => 'token',
    confirm: async () => true,
    prove: async () => '',
    call: async () => {
      throw new Error('nothing is asked');
    },
    notify: () => undefined,
    save: async () => undefined,
    copyText: async () => undefined,
    runCommand: () => undefined,
    openPalette: () => undefined,
    keymap: { claims: () => false },
    keys: {
      hold() {
        held.push('held');
        return () => void held.push('released');
      },
    },
    config: () => webConfig.parse({}),
    signedIn: () => true,
    link: () => '',
    DesktopTab: () => null,
    leavePage: () => undefined,
    onLeave: () => undefined,
    storage: { local: memory(), session: memory(saved) },
  });
  return { terminals, held };
}

test('what is only told to terminals fetches nothing, and is told once they are there', async () => {
  const { terminals, held } = started();
  terminals.setFull(true);
  terminals.belongTo('ann');
  terminals.arrive(null);
  expect([terminals.loaded(), held]).toEqual([undefined, []]);
  await terminals.load();
  expect([terminals.loaded() === undefined, terminals.state.full, held]).toEqual([false, true, []]);
});

test('each verb is one function for good, so that a page that is put together anew arrives nowhere a second time', () => {
  const { terminals } = started();
  expect(terminals.arrive).toBe(terminals.arrive);
  expect(terminals.arrive).not.toBe(terminals.join);
});

test('keys wait while a terminal that was asked for is fetched', async () => {
  const { terminals, held } = started();
  terminals.join({ sid: 's1', title: 'db', mode: 'observer' });
  expect(held).toEqual(['held']);
  await terminals.load();
  expect(terminals.state.tabs).toMatchObject([{ sid: 's1', mode: 'observer' }]);
  await expect.poll(() => held).toContain('released');
  terminals.forget();
});

test('keys wait no longer than until opening has begun: it may ask for a hardware key', async () => {
  const { terminals, held } = started();
  let opened: unknown;
  void terminals.open({ serverId: 'n1', hostname: 'a', login: 'root' }).then(done => (opened = done));
  await expect.poll(() => held).toContain('released');
  expect([opened, terminals.state.tabs[0]?.status]).toEqual([undefined, 'connecting']);
  terminals.forget();
});

test('an address that names a terminal is told, and nothing comes back of it', () => {
  const { terminals } = started();
  expect(terminals.arrive({ serverId: 'n1', login: 'root' })).toBeUndefined();
  terminals.forget();
});

test('what a reload left behind comes by itself', async () => {
  const tab = {
    clusterId: 'c1',
    sid: 's1',
    serverId: 'n1',
    login: 'root',
    title: 'root@a',
    mode: 'peer',
    cols: 80,
    rows: 24,
  };
  const { terminals, held } = started(JSON.stringify({ tabs: [tab], current: 0, paneOpen: true }));
  expect(held).toEqual(['held']);
  await expect.poll(() => terminals.state.tabs).toMatchObject([{ sid: 's1' }]);
  terminals.forget();
});

import { expect, test } from 'vitest';
import { createPasteGuard, type PasteTarget, proofOf } from './paste-guard.ts';
import type { TerminalPorts, TextStorage } from './ports.ts';

function memory(): TextStorage {
  const kept = new Map<string, string>();
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
  };
}
const target = (host: string, production = false, user = 'ann'): PasteTarget => ({
  title: `root@${host}`,
  serverId: host,
  production,
  party: 'p',
  parties: [{ id: 'p', user, mode: 'peer' }],
});
const guarded = (storage = memory()) =>
  createPasteGuard({
    ports: {
      storage: { local: storage, session: storage },
      notify: () => {},
    } as Partial<TerminalPorts> as TerminalPorts,
  });

test('a line goes straight in, several ask and name where they go', async () => {
  const guard = guarded();
  expect(await guard.ask('ls', [target('db-1', true)])).toBe('ls');
  const asked = guard.ask('a\nb', [target('db-1'), target('db-2')]);
  expect(guard.state.question).toMatchObject({ titles: ['root@db-1', 'root@db-2'], proof: '', isRemembered: true });
  guard.settle({ text: 'a\nb', remember: false });
  expect(await asked).toBe('a\nb');
  expect(guard.state.question).toBeNull();
});

test('an edited text is cleaned as well, and no answer sends nothing', async () => {
  const guard = guarded();
  const edited = guard.ask('a\nb', [target('db-1')]);
  guard.settle({ text: 'a\x1b[201~\nc', remember: false });
  expect(await edited).toBe('a\nc');
  const first = guard.ask('a\nb', [target('db-1')]);
  const second = guard.ask('c\nd', [target('db-1')]);
  expect(await first).toBeNull();
  guard.settle(null);
  expect(await second).toBeNull();
});

test('a remembered answer holds for its server and person, until it is forgotten, and never for what is large', async () => {
  const storage = memory();
  const guard = guarded(storage);
  const asked = guard.ask('a\nb', [target('db-1')]);
  guard.settle({ text: 'a\nb', remember: true });
  await asked;
  expect(await guarded(storage).ask('c\nd', [target('db-1')])).toBe('c\nd');
  for (const [text, to] of [
    ['c\nd', target('db-2')],
    ['c\nd', target('db-1', false, 'bob')],
    ['x'.repeat(6000), target('db-1')],
  ] as const) {
    void guard.ask(text, [to]);
    expect(guard.state.question).not.toBeNull();
    guard.settle(null);
  }
  guard.forget(target('db-1'));
  void guard.ask('c\nd', [target('db-1')]);
  expect(guard.state.question).not.toBeNull();
});

test('production wants its name typed, and remembers nothing', async () => {
  const guard = guarded();
  for (let times = 0; times < 2; times += 1) {
    const asked = guard.ask('a\nb', [target('db-1', true)]);
    expect(guard.state.question).toMatchObject({ proof: 'db-1', isRemembered: false });
    guard.settle({ text: 'a\nb', remember: true });
    expect(await asked).toBe('a\nb');
  }
  expect(proofOf([target('db-1'), target('db-2', true)])).toBe('2');
  expect(proofOf([target('db-1'), target('db-2')])).toBe('');
});

import { expect, test } from 'vitest';
import { createChanges } from '../services/changes/changes.ts';
import { openSockets } from './sockets.ts';

/** Web sessions that are alive until they are taken out. */
function scripted(ids: readonly string[]) {
  const alive = new Set(ids);
  const changes = createChanges(() => undefined);
  const told = (): void => changes.emit({ kind: 'webSessionsEnded' });
  let broken: Error | null = null;
  const sessions = {
    over: async ({ webSessionId }: { readonly webSessionId: string }) => {
      if (broken) throw broken;
      return alive.has(webSessionId) ? null : 'it is over';
    },
    authenticate: () => Promise.reject(new Error('nobody opens a socket here')),
  };
  return {
    open: (failed: (error: unknown) => void) => openSockets({ sessions, changes, isOwn: () => true, failed }),
    end: (id: string) => {
      alive.delete(id);
      told();
    },
    breakNext: (error: Error | null) => {
      broken = error;
      told();
    },
  };
}
const a = { webSessionId: 'a', userId: 'ann' };
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('a session that ends here closes its sockets at once, each once, and no other', async () => {
  const { open, end } = scripted(['a', 'b']);
  const sockets = open(() => undefined);
  const closed: string[] = [];
  sockets.add(a, () => closed.push('a1'));
  sockets.add(a, () => closed.push('a2'));
  sockets.add({ ...a, webSessionId: 'b' }, () => closed.push('b'));
  const forget = sockets.add(a, () => closed.push('gone before'));
  forget();
  end('a');
  end('a');
  await turn();
  sockets.dispose();
  expect(closed).toEqual(['a1', 'a2']);
});

test('a check that cannot be made closes nothing and is heard of', async () => {
  const { open, breakNext, end } = scripted(['a']);
  const heard: unknown[] = [];
  const closed: string[] = [];
  const sockets = open(error => heard.push(error));
  sockets.add(a, () => closed.push('a'));
  const error = new Error('the store is away');
  breakNext(error);
  await turn();
  expect([closed, heard]).toEqual([[], [error]]);
  breakNext(null);
  end('a');
  await turn();
  sockets.dispose();
  expect(closed).toEqual(['a']);
});

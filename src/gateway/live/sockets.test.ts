import { expect, test } from 'vitest';
import { openSockets } from './sockets.ts';

/** Web sessions that are alive until they are taken out. */
function scripted(ids: readonly string[]) {
  const alive = new Set(ids);
  let told: () => void = () => undefined;
  let broken: Error | null = null;
  return {
    sessions: {
      alive: async (id: string) => {
        if (broken) throw broken;
        return alive.has(id);
      },
      onEnded: (listener: () => void) => {
        told = listener;
      },
    },
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
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('a session that ends here closes its sockets at once, each once, and no other', async () => {
  const { sessions, end } = scripted(['a', 'b']);
  const sockets = openSockets(sessions, () => undefined);
  const closed: string[] = [];
  sockets.add('a', () => closed.push('a1'));
  sockets.add('a', () => closed.push('a2'));
  sockets.add('b', () => closed.push('b'));
  const forget = sockets.add('a', () => closed.push('gone before'));
  forget();
  end('a');
  end('a');
  await turn();
  sockets.dispose();
  expect(closed).toEqual(['a1', 'a2']);
});

test('a check that cannot be made closes nothing and is heard of', async () => {
  const { sessions, breakNext, end } = scripted(['a']);
  const heard: unknown[] = [];
  const closed: string[] = [];
  const sockets = openSockets(sessions, error => heard.push(error));
  sockets.add('a', () => closed.push('a'));
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

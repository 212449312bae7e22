import { expect, test } from 'vitest';
import { launch } from './launch.ts';
import { person, size } from './sessions.testing.ts';

test('shells on servers go by record_session.ssh, and whatever else is recorded by its default', async () => {
  const asked: [string, string][] = [];
  const ports = {
    ...{ keepMs: 0, now: () => new Date(), retries: { add: () => {} } as never, report: () => {} },
    ...{ closed: () => null, unfinished: new Set<Promise<void>>() },
    recordings: {
      open: ({ proto }: { proto: string }, mode: string) => {
        asked.push([proto, mode]);
        return Promise.reject(new Error('EROFS'));
      },
    } as never,
  };
  const begin = (proto: 'ssh' | 'kube' | 'db', recordSsh: 'strict' | 'best_effort', recordOthers: typeof recordSsh) =>
    launch(ports, {
      sid: proto,
      who: person('ann', { options: { recordSsh, recordOthers } }),
      reached: { close: () => {} },
      head: {
        ...{ kind: 'terminal', sid: proto, user: 'ann', login: 'root', serverId: '', hostname: 'x', addr: '' },
        ...{ clusterName: 'c', size, proto },
      },
      onOver: async () => {},
      prepare: recorder => {
        throw new Error(recorder === null ? 'goes on without' : 'recorded');
      },
    });
  for (const proto of ['kube', 'db'] as const) {
    await expect(begin(proto, 'best_effort', 'strict')).rejects.toThrow('its recording could not be written');
    await expect(begin(proto, 'strict', 'best_effort')).rejects.toThrow('goes on without');
  }
  await expect(begin('ssh', 'best_effort', 'strict')).rejects.toThrow('goes on without');
  await expect(begin('ssh', 'strict', 'best_effort')).rejects.toThrow('its recording could not be written');
  expect(asked.map(([, mode]) => mode).sort()).toEqual([...Array(3).fill('best_effort'), ...Array(3).fill('strict')]);
});

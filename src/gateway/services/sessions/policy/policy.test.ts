import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../ports/audit.ts';
import { person, policyFor, server } from '../sessions.testing.ts';
import { serverDoor } from './policy.ts';

function rig() {
  const log: AuditEntry[] = [];
  const policy = policyFor({ emit: async entry => void log.push(entry) });
  let last = 0;
  const begin = (who = person('alice'), login = 'root') => {
    last += 1;
    return policy.begin({ sid: `s${last}`, who }, serverDoor({ who, target: server, login }));
  };
  return { log, policy, begin };
}

test('without a limit in any role a person has fifty sessions, and the sentence says so', async () => {
  const { log, begin, policy } = rig();
  const leaves = await Promise.all(Array.from({ length: 50 }, () => begin()));
  await expect(begin()).rejects.toMatchObject({
    code: 'limited',
    message: 'You have 50 sessions open, and 50 is the limit where no role sets max_sessions. Close one first.',
  });
  expect(log).toMatchObject([{ code: 'T1006W', user: 'alice', server_id: server.id, max: 50 }]);
  await begin(person('bob'));
  leaves[0]?.release();
  await begin();
  expect(policy.held()).toHaveLength(51);
});

test('a role says another limit, in its own sentence', async () => {
  const { begin } = rig();
  const who = person('alice', { options: { maxSessions: 1 } });
  await begin(who);
  await expect(begin(who)).rejects.toMatchObject({
    message: 'You have 1 sessions open, and your roles allow 1. Close one first.',
  });
});

test('what did not get leave holds no place', async () => {
  const { begin, policy } = rig();
  await expect(begin(person('alice'), 'oracle')).rejects.toMatchObject({ code: 'denied' });
  await expect(begin(person('alice', { expires: new Date(0) }))).rejects.toMatchObject({ code: 'denied' });
  expect(policy.held()).toEqual([]);
});

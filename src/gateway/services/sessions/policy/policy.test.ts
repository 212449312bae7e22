import { describe, expect, test } from 'vitest';
import { DEVICE_MISSING } from '../../../../contract/device-trust.ts';
import { holds } from '../../../../contract/locks.ts';
import type { AuditEntry } from '../../../ports/audit.ts';
import { NO_HARDWARE_KEYS } from '../../../ports/rights.ts';
import { person, policyFor, server } from '../sessions.testing.ts';
import { type Door, serverDoor } from './policy.ts';
import { untrustedRefusal } from './rules.ts';

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

test.each(['hardware_key', 'hardware_key_touch'] as const)(
  'whose roles ask for keys in hardware, which nobody has here, opens nothing, and hears why: %s',
  async keyPolicy => {
    const { policy, log } = rig();
    const who = person('alice', { options: { keyPolicy, sshFileCopy: true } });
    const refused = (why: string): AuditEntry => ({ code: 'T3007W', user: 'alice', error: why });
    const door: Door = { subject: {}, refusal: () => null, refused, limited: refused };
    const message = `Your roles ask for private keys that are kept in hardware (require_session_mfa: ${keyPolicy}). ${NO_HARDWARE_KEYS}`;
    await expect(policy.begin({ sid: 's', who }, door)).rejects.toMatchObject({ code: 'denied', message });
    await expect(policy.permit({ who }, door)).rejects.toMatchObject({ code: 'denied', message });
    await expect(policy.permitFiles({ who, target: server, login: 'root' })).rejects.toMatchObject({ message });
    expect(log).toMatchObject([{ error: message }, { error: message }, { error: message }]);
  },
);

describe('a trusted device', () => {
  const who = person('alice', { options: { deviceTrust: 'required', sshFileCopy: true } });
  const trusted = { ...who, trustedDevice: { id: 'd', osType: 'linux', assetTag: 'L', credentialId: 'k' } };
  const refused = (why: string): AuditEntry => ({ code: 'T3007W', user: 'alice', error: why });
  /** A door that stands open but for the device, as those of databases, desktops, applications and clusters are built. */
  const open: Door = { subject: {}, refusal: () => null, refused, limited: refused };
  const doors: readonly (readonly [string, Door])[] = [
    ['a server', serverDoor({ who, target: server, login: 'root' })],
    ['whatever else', open],
  ];
  test.each(doors)('is asked for at the door of %s, in words that say how to get one', async (_what, door) => {
    const { policy, log } = rig();
    const missing = { code: 'denied', message: DEVICE_MISSING };
    await expect(policy.begin({ sid: 's', who }, door)).rejects.toMatchObject(missing);
    await expect(policy.permit({ who }, door)).rejects.toMatchObject(missing);
    expect(log).toMatchObject([{ error: DEVICE_MISSING }, { error: DEVICE_MISSING }]);
    await policy.begin({ sid: 's', who: trusted }, door);
    await policy.permit({ who: trusted }, door);
    expect(policy.held()).toEqual(['s']);
  });
  test('is asked for by whoever copies files and joins sessions', async () => {
    const { policy } = rig();
    const files = { target: server, login: 'root' };
    await expect(policy.permitFiles({ who, ...files })).rejects.toMatchObject({ message: DEVICE_MISSING });
    await policy.permitFiles({ who: trusted, ...files });
    expect([policy.deviceRefusal(who), policy.deviceRefusal(trusted)]).toEqual([DEVICE_MISSING, null]);
  });
  test.each([
    ['off', 'off', null],
    ['off', 'required', DEVICE_MISSING],
    ['optional', 'off', null],
    ['required', 'off', DEVICE_MISSING],
    ['required', 'optional', DEVICE_MISSING],
  ] as const)('where the cluster says %s and roles say %s: the strictest counts', (cluster, roles, refusal) =>
    expect(untrustedRefusal([cluster, roles], false)).toBe(refusal),
  );
  test('is held back by a lock on it alone', () => {
    const lock = { targets: { device: 'd' } };
    const subject = { user: 'alice', roles: ['access'] };
    expect([
      holds(lock, { ...subject, device: 'd' }),
      holds(lock, { ...subject, device: 'e' }),
      holds(lock, subject),
    ]).toEqual([true, false, false]);
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { webConfig } from '../../../contract/config.ts';
import { type Asked, firstStep, next, type Step, type Turn } from './machine.ts';
import { deviceProblems, methodsOf } from './methods.ts';
import { confirmProblem, passwordProblem } from './rules.ts';

const readAuth = z.parse(webConfig, {}).auth;

const nothing: Asked = { invites: false, survey: false };
const walkWith = (asked: Asked, ...turns: Turn[]): Step =>
  turns.reduce<Step>((step, turn) => next(step, turn, asked), 'password');
const walk = (...turns: Turn[]): Step => walkWith(nothing, ...turns);
const noFactor: Turn = { kind: 'passwordSet', secondFactor: 'off' };
const otpChosen: Turn = { kind: 'passwordSet', secondFactor: 'otp' };
const deviceSet: Turn = { kind: 'deviceSet' };
const accepted = (given: { keyPolicy?: boolean; codesCreated?: boolean } = {}): Turn => ({
  kind: 'accepted',
  keyPolicy: false,
  codesCreated: false,
  ...given,
});

// Rule 4: with the factor off
test('with the second factor off, the password is sent straight away', () => expect(walk(noFactor)).toBe('sending'));
// Rule 4: a device is asked for when the second factor is not off and what was typed holds
test('any other second factor asks for a device first', () => {
  for (const secondFactor of ['on', 'optional', 'otp', 'webauthn'] as const)
    expect(walk({ kind: 'passwordSet', secondFactor })).toBe('device');
});
test('from the device one can go back to the password, from the password nowhere', () => {
  expect(walk(otpChosen, { kind: 'back' })).toBe('password');
  expect(walk({ kind: 'back' })).toBe('password');
});
test('without recovery codes a success is the end', () => expect(walk(noFactor, accepted())).toBe('done'));
// Rule 4: after a submit: policy, codes, success
test('recovery codes come before the welcome page', () => {
  expect(walk(otpChosen, deviceSet, accepted({ codesCreated: true }))).toBe('codes');
  expect(walk(otpChosen, deviceSet, accepted({ codesCreated: true }), { kind: 'codesSaved' })).toBe('done');
});
// Rule 4: invitations and the questionnaire before the end
test('whoever may invite is asked whom, and then what they came for, before the end; only what there is', () => {
  const [codes, saved, invited]: Turn[] = [
    accepted({ codesCreated: true }),
    { kind: 'codesSaved' },
    { kind: 'invited' },
  ];
  const both: Asked = { invites: true, survey: true };
  const at = (asked: Asked, ...turns: (Turn | undefined)[]) =>
    walkWith(asked, noFactor, ...turns.filter(turn => turn !== undefined));
  expect([at(both, codes), at(both, codes, saved), at(both, codes, saved, invited)]).toEqual([
    'codes',
    'invites',
    'survey',
  ]);
  expect(at(both, codes, saved, invited, { kind: 'surveyed' })).toBe('done');
  expect(at({ invites: true, survey: false }, accepted(), invited)).toBe('done');
  expect(at({ invites: false, survey: true }, accepted())).toBe('survey');
  expect(at(both, accepted({ keyPolicy: true }))).toBe('webLoginDisabled');
});
// Rule 4: a private key policy
test('a private key policy sends the person to the desktop client', () =>
  expect(walk(noFactor, accepted({ keyPolicy: true, codesCreated: true }))).toBe('webLoginDisabled'));
// Rule 8: a failed submission shows its error
test('a refusal leads back to where it can be mended', () => {
  expect(walk(noFactor, { kind: 'refused', at: 'password' })).toBe('password');
  expect(walk(otpChosen, deviceSet, { kind: 'refused', at: 'device' })).toBe('device');
});
// Rule 2.5: Go Passwordless, and back
// Rule 4: a first step is local when the primary way in is local or single sign-on, else passwordless
test('one may go passwordless and back, and begins there where passkeys come first', () => {
  expect(walk({ kind: 'goPasswordless' })).toBe('passwordless');
  expect(walk({ kind: 'goPasswordless' }, { kind: 'usePassword' })).toBe('password');
  expect(walk({ kind: 'goPasswordless' }, deviceSet)).toBe('sending');
  const auth = { ...readAuth, allowPasswordless: true };
  expect([firstStep(auth), firstStep({ ...auth, localConnectorName: 'passwordless' })]).toEqual([
    'password',
    'passwordless',
  ]);
});
// Rule 1: second factor off, on, optional, otp or webauthn
// Rule 3.4: methods of the second factor have their labels
// Rule 5: which methods the second factor offers
test('which methods there are, by the setting', () => {
  expect(['off', 'webauthn', 'otp', 'on', 'optional'].map(setting => methodsOf(setting as 'off').join(', '))).toEqual([
    '',
    'Hardware Key',
    'Authenticator App',
    'Hardware Key, Authenticator App',
    'Hardware Key, Authenticator App, None',
  ]);
});
// Rule 5: device name and code
test('a device needs a name, an app its code, and nothing neither', () => {
  expect(deviceProblems('Authenticator App', ' ', '')).toEqual({
    name: 'Device name is required',
    code: 'Token is required',
  });
  expect(deviceProblems('Hardware Key', '', '')).toEqual({ name: 'Device name is required' });
  expect(deviceProblems('None', '', '')).toEqual({});
});
// Rule 4: nothing is sent twice: buttons are disabled while it is sent
test('nothing is sent twice, and what is over stays over', () => {
  const turns = fc.constantFrom<Turn>(
    noFactor,
    otpChosen,
    deviceSet,
    { kind: 'back' },
    { kind: 'codesSaved' },
    { kind: 'invited' },
    { kind: 'surveyed' },
    accepted(),
    accepted({ codesCreated: true }),
    { kind: 'refused', at: 'password' },
    { kind: 'goPasswordless' },
    { kind: 'usePassword' },
  );
  fc.assert(
    fc.property(fc.array(turns, { maxLength: 20 }), fc.boolean(), fc.boolean(), (made, invites, survey) => {
      const asked = { invites, survey };
      let step: Step = 'password';
      let acceptances = 0;
      for (const turn of made) {
        const before: Step = step;
        step = next(step, turn, asked);
        if (before === 'sending' && turn.kind === 'accepted') acceptances += 1;
        if (before === 'done') expect(step).toBe('done');
        if (before === 'sending' && turn.kind !== 'accepted' && turn.kind !== 'refused') expect(step).toBe('sending');
      }
      expect(acceptances).toBeLessThanOrEqual(1);
    }),
  );
});

// Rule 5: password
// Rule 9: a password has at least 6 characters
test('a password has at least 6 characters, or as many as the gateway asks for', () => {
  expect([passwordProblem('12345', 6), passwordProblem('123456', 6)]).toEqual([
    'Enter at least 6 characters',
    undefined,
  ]);
  expect([
    passwordProblem('12345', 1),
    passwordProblem('12345678901', 12),
    passwordProblem('123456789012', 12),
  ]).toEqual(['Enter at least 6 characters', 'Enter at least 12 characters', undefined]);
});
test('characters are counted as people count them, bytes are bounded', () => {
  expect(passwordProblem('🔑🔑🔑', 6)).toBe('Enter at least 6 characters');
  expect([passwordProblem('x'.repeat(1024), 6), passwordProblem('ä'.repeat(513), 6)]).toEqual([
    undefined,
    'Enter at most 1024 bytes',
  ]);
});
// Rule 5: confirm password
test('the repeated password is required and must be equal', () => {
  expect([
    confirmProblem('abcdef', ''),
    confirmProblem('abcdef', 'abcdeg'),
    confirmProblem('abcdef', 'abcdef'),
  ]).toEqual(['Please confirm your password', 'Password does not match', undefined]);
});

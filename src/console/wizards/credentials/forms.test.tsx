// What the steps of an invitation and a reset show, as each is first drawn.
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DeviceForm } from './DeviceForm.tsx';
import { PasskeyForm } from './PasskeyForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { wordings } from './words.ts';

const nothing = (): void => undefined;
/** The words of what is drawn, a line for each part. */
const words = (drawn: ReactElement): string =>
  renderToStaticMarkup(drawn)
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/<[^>]*>+/g, '\n')
    .replaceAll(/\n+/g, '\n')
    .trim();
const own = { busy: false, problem: '' };

// Rule 2.5: Set A Password: a username that is only read, Password, Confirm Password
test('a password is set beside a username that nobody changes, and typed twice', () => {
  const form = <PasswordForm {...own} user="ann" least={6} submitLabel="Next" onPassword={nothing} />;
  expect(words(form).split('\n')).toEqual([
    'Username',
    'Password',
    'At least 6 characters',
    'Confirm Password',
    'Next',
  ]);
  const fields = [...renderToStaticMarkup(form).matchAll(/<input[^>]*>/g)].map(([field]) => field);
  expect(fields.map(field => /readonly/i.test(field))).toEqual([true, false, false]);
  expect(fields[0]).toContain('value="ann"');
});

// Rule 2.5: Set A Passwordless Device: device name, Submit, and the way back
test('a passkey is given a name; Submit, and beside it the way back', () => {
  const form = <PasskeyForm {...own} backLabel="Use password" onName={nothing} onBack={nothing} />;
  expect(words(form).split('\n').slice(1)).toEqual(['Device Name', 'Submit', 'Use password']);
});

// Rule 2.5: a hardware key has an illustration and a note of what can be used, none a recommendation
test('a hardware key is drawn with what can be used, and who wants none is recommended to enroll one', () => {
  const form = (method: 'Hardware Key' | 'None') => (
    <DeviceForm
      {...own}
      methods={[method]}
      secret={() => Promise.reject(new Error('not asked'))}
      onChoose={nothing}
      onDevice={nothing}
    />
  );
  expect(renderToStaticMarkup(form('Hardware Key')).match(/<svg/g)).toHaveLength(5);
  expect(words(form('Hardware Key'))).toMatch(/Security keys, Touch ID, .*watches and more/);
  expect(words(form('None'))).toMatch(/^We recommend that you enroll a two-factor device/);
});

// Rule 2.5: a side panel says why codes are needed, how long they last, and after a reset what becomes of the old
test('recovery codes stand beside why they are needed, how long they last, and what becomes of older ones', () => {
  const codes = (isNew: boolean) => (
    <RecoveryCodes
      codes={['postern-one', 'postern-two']}
      created="2026-11-27T10:00:00Z"
      user="ann"
      isNew={isNew}
      onSaved={nothing}
    />
  );
  const questions = ['Why do I need these codes?', 'How long do the codes last?'];
  const old = 'What about my old codes?';
  for (const question of questions) expect(words(codes(false))).toContain(question);
  expect(words(codes(false))).not.toContain(old);
  expect(words(codes(true))).toContain(old);
  expect(words(codes(false))).toContain('I have saved my Recovery Codes (ann)');
  expect(words(codes(true))).toContain('I have saved my new Recovery Codes (ann)');
});

// Rule 2.5: an expired link is titled Invitation Code Expired or Reset Code Expired
// Rule 2.5: the end is titled by what it was: a registration or a reset
test('an invitation and a reset have titles of their own', () => {
  const titles = ({ expiredTitle, done, disabled }: (typeof wordings)['invite']) => [expiredTitle, done, disabled];
  expect(titles(wordings.invite)).toEqual([
    'Invitation Code Expired',
    'Registration Successful',
    'Registration Complete',
  ]);
  expect(titles(wordings.reset)).toEqual(['Reset Code Expired', 'Reset Successful', 'Reset Complete']);
  expect(wordings.reset.expired).toBe(
    "It appears that your reset code isn't valid any more. Please contact your account administrator and request another reset link.",
  );
});

// One's own account.
import { answer, Cancelled, confirmed, textChoice } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { inConsole } from './gates.ts';

/** Fetched when one asks where one is signed in. */
const loadActs = () => import('./account-acts.ts');

/** The request that a link of a headless sign-in ends with. */
const requestIn = (typed: string): string | undefined => /(?:^|\/)([0-9a-f]{64})$/.exec(typed.trim())?.[1];
const hasFactors = ({ config }: Facts): boolean => config.auth.second_factor !== 'off';
/** Why somebody whom a provider signs in does not change `what` here. */
const ofProvider = (what: string) => (facts: Facts) =>
  facts.who?.authType === 'sso' ? `${what} kept by the provider you sign in with` : undefined;
/** Whoever signs in with a passkey alone has none; of those whom a provider signs in it is not known here. */
const hasPassword = ({ who }: Facts): boolean => who?.authType === 'sso' || who?.hasPassword !== false;
const devicesOfProvider = ofProvider('Your devices are');
const hasDevices = (facts: Facts): boolean => hasFactors(facts) || facts.config.auth.allowPasswordless;

const terminalsOpen = (count: number): string => (count === 1 ? '1 terminal is open.' : `${count} terminals are open.`);

export const account: readonly Command[] = [
  command({
    id: 'account.password',
    title: 'Change my password',
    group: 'account',
    words: ['credentials', 'secret', 'account'],
    when: facts => inConsole(facts) && hasPassword(facts),
    blocked: ofProvider('Your password is'),
    run: (_given, _facts, tools) => tools.go('accountPassword'),
  }),
  command({
    id: 'account.setPassword',
    title: 'Set a password',
    group: 'account',
    words: ['credentials', 'secret', 'account', 'change my password'],
    when: facts => inConsole(facts) && !hasPassword(facts),
    run: (_given, _facts, tools) => tools.go('accountPassword'),
  }),
  command({
    id: 'account.keys',
    title: 'Change keys',
    group: 'account',
    words: ['keyboard', 'shortcuts', 'chords', 'rebind', 'bindings'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.go('account', {}, { at: 'keyboard' }),
  }),
  command({
    id: 'account.addDevice',
    title: 'Add a two-factor device',
    group: 'account',
    words: ['mfa', 'hardware key', 'authenticator app', 'totp', 'enrol', 'register'],
    when: inConsole,
    blocked: facts =>
      devicesOfProvider(facts) ?? (hasFactors(facts) ? undefined : 'This cluster asks for no second factor'),
    run: (_given, _facts, tools) => tools.go('accountDevices', {}, { add: 'device' }),
  }),
  command({
    id: 'account.addPasskey',
    title: 'Create a passkey',
    group: 'account',
    words: ['passwordless', 'touch id', 'windows hello', 'enrol', 'register', 'device'],
    when: facts => inConsole(facts) && facts.config.auth.allowPasswordless,
    blocked: devicesOfProvider,
    run: (_given, _facts, tools) => tools.go('accountDevices', {}, { add: 'passkey' }),
  }),
  command({
    id: 'account.removeDevice',
    title: 'Remove a two-factor device…',
    group: 'account',
    words: ['mfa', 'hardware key', 'authenticator app', 'passkey', 'lost', 'delete'],
    when: facts => inConsole(facts) && hasDevices(facts),
    blocked: devicesOfProvider,
    args: [
      {
        name: 'device',
        title: 'Device',
        once: true,
        choices: async (_typed, _given, _facts, tools) => {
          const { listDevices } = await import('../src/contract/devices.ts');
          const devices = await tools.call(listDevices);
          return devices.map(({ name, kept }) => ({
            ...textChoice(name),
            ...(kept !== undefined && { refused: kept }),
          }));
        },
      },
    ],
    run: (given, _facts, tools) => tools.go('accountDevices', {}, { remove: answer(given, 'device').value }),
  }),
  command({
    id: 'account.renewCodes',
    title: 'Make new recovery codes',
    group: 'account',
    words: ['backup', 'lost', 'print', 'account recovery'],
    when: facts => inConsole(facts) && facts.config.recoveryCodesEnabled,
    blocked: ofProvider('Your account is'),
    run: (_given, _facts, tools) => tools.go('accountDevices', {}, { codes: 'new' }),
  }),
  command({
    id: 'account.endSession',
    title: 'Sign out elsewhere…',
    group: 'account',
    destructive: true,
    words: ['log out', 'end', 'browser', 'signed in'],
    when: inConsole,
    args: [
      {
        name: 'session',
        title: 'Where',
        once: true,
        choices: async (...asked) => (await loadActs()).elsewhere(...asked),
      },
    ],
    run: async (...asked) => (await loadActs()).endOne(...asked),
  }),
  command({
    id: 'account.endOtherSessions',
    title: 'Sign out everywhere else',
    group: 'account',
    destructive: true,
    words: ['log out', 'end', 'browsers', 'signed in'],
    when: inConsole,
    run: async (...asked) => (await loadActs()).endOthers(...asked),
  }),
  command({
    id: 'account.approve',
    title: 'Approve a sign-in elsewhere…',
    group: 'account',
    words: ['headless', 'command line', 'machine without a browser', 'reject'],
    when: inConsole,
    args: [
      {
        name: 'request',
        title: 'The link that the other machine shows, or its end',
        free: typed => (requestIn(typed) === undefined ? 'The link ends with 64 letters and digits' : undefined),
        choices: () => [],
      },
    ],
    run: (given, _facts, tools) => tools.go('headless', { requestId: requestIn(answer(given, 'request').value) ?? '' }),
  }),
  command({
    id: 'session.signOut',
    title: 'Logout',
    group: 'account',
    destructive: true,
    words: ['sign out', 'log out', 'leave', 'exit'],
    when: inConsole,
    run: async (_given, { liveTerminals: live }, tools) => {
      const sure =
        live === 0 ||
        (await tools.confirm({
          title: 'Sign out?',
          text: `${terminalsOpen(live)} ${live === 1 ? 'Its session goes' : 'Their sessions go'} on for a while: sign in again to come back to ${live === 1 ? 'it' : 'them'}.\n"Logout and end my sessions" ends ${live === 1 ? 'it' : 'them'} at once.`,
          action: 'Sign out',
        }));
      if (!sure) throw new Cancelled();
      tools.signOut(false);
    },
  }),
  command({
    id: 'session.signOutEnding',
    title: 'Logout and end my sessions',
    group: 'account',
    destructive: true,
    words: ['sign out', 'log out', 'leave', 'exit', 'close all'],
    when: facts => inConsole(facts) && facts.liveTerminals > 0,
    run: async (_given, { liveTerminals: live }, tools) => {
      await confirmed(tools, {
        title: live === 1 ? 'End the session and sign out?' : `End ${live} sessions and sign out?`,
        text: `${terminalsOpen(live)} ${live === 1 ? 'Its shell and what runs in it is' : 'Their shells and what runs in them are'} told to stop.`,
        action: 'End and sign out',
      });
      tools.signOut(true);
    },
  }),
];

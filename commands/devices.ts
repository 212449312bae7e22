// Trusted devices: registering one, the token that enrolls it, and enrolling what one sits at.
import { answer, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, onlyAtRoot, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./device-acts.ts');

const words = ['laptop', 'asset tag', 'device trust'];
const deviceArgument = listedArgument('trustedDevice', 'device');
const assetArgument: Argument = {
  name: 'asset',
  title: 'Asset tag, such as its serial number',
  free: typed => (typed.trim() === '' || typed.length > 128 ? 'Type 1 to 128 characters' : undefined),
  choices: () => [],
};
const keeps = (flag: 'create' | 'edit' | 'remove') => (facts: Facts) =>
  needs('deviceTrust', flag, 'device')(facts) ?? onlyAtRoot(facts);

export const devices: readonly Command[] = [
  command({
    id: 'device.add',
    title: 'Register a trusted device…',
    manual: 'trustDevice',
    group: 'manage',
    words: ['new', 'create', 'enroll', ...words],
    when: signedIn,
    blocked: keeps('create'),
    args: [
      {
        name: 'os',
        title: 'What does it run?',
        choices: () => ['linux', 'macos', 'windows'].map(textChoice),
      },
      assetArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'device.token',
    title: 'Make an enrol token…',
    manual: 'trustDevice',
    group: 'manage',
    words: ['enroll', ...words],
    when: signedIn,
    blocked: keeps('create'),
    args: [deviceArgument],
    onThing: { label: 'Enrol token…', title: name => `Make an enrol token for ${name}…`, icon: 'KeyRound' },
    run: async (...asked) => (await loadActs()).makeToken(...asked),
  }),
  command({
    id: 'device.show',
    title: 'Show a trusted device…',
    group: 'manage',
    words: ['details', 'owner', ...words],
    when: inConsole,
    blocked: needs('deviceTrust', 'list', 'device'),
    args: [deviceArgument],
    onThing: { label: 'Show', title: name => `Show ${name}`, icon: 'Eye' },
    run: (given, facts, tools) => showOn('trustedDevices', { device: answer(given, 'device').value }, facts, tools),
  }),
  command({
    id: 'device.tag',
    title: 'Change the asset tag of a trusted device…',
    group: 'manage',
    words: ['rename', 'edit', ...words],
    when: signedIn,
    blocked: keeps('edit'),
    args: [deviceArgument, assetArgument],
    onThing: { label: 'Change…', title: name => `Change the asset tag of ${name}…`, icon: 'Pencil' },
    run: async (...asked) => (await loadActs()).retag(...asked),
  }),
  command({
    id: 'device.lock',
    title: 'Choose a trusted device to lock…',
    group: 'manage',
    words: ['block', 'lost', 'stolen', ...words],
    when: inConsole,
    blocked: facts => needs('lock', 'create', 'locks')(facts) ?? onlyAtRoot(facts),
    args: [deviceArgument],
    onThing: { label: 'Lock…', title: name => `Lock ${name}…`, icon: 'Lock' },
    run: (given, { clusterId }, tools) => {
      const { value, title } = answer(given, 'device');
      tools.go('newLock', { clusterId }, { target: `device:${value}`, title });
    },
  }),
  command({
    id: 'device.remove',
    title: 'Remove a trusted device…',
    group: 'manage',
    destructive: true,
    words: ['delete', ...words],
    when: signedIn,
    blocked: keeps('remove'),
    args: [deviceArgument],
    onThing: { label: 'Remove…', title: name => `Remove ${name}…` },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
  command({
    id: 'device.enroll',
    title: 'Enroll this as a trusted device…',
    manual: 'trustDevice',
    group: 'account',
    words: ['this browser', 'command line', 'register', 'token', ...words],
    when: signedIn,
    blocked: onlyAtRoot,
    args: [
      {
        name: 'token',
        title: 'Enrol token, as whoever administers devices has given it',
        free: typed =>
          /^[0-9a-f-]{36}\.[A-Za-z0-9_-]{20,}$/.test(typed.trim()) ? undefined : 'Paste the whole enrol token',
        choices: () => [],
      },
    ],
    run: async (...asked) => (await loadActs()).enroll(...asked),
  }),
  command({
    id: 'device.forget',
    title: 'Forget this trusted device',
    group: 'account',
    destructive: true,
    words: ['this browser', 'command line', 'unenroll', 'give up', ...words],
    when: signedIn,
    blocked: ({ who }) =>
      who?.trustedDevice === undefined ? 'You are not signed in from a trusted device' : undefined,
    run: async (...asked) => (await loadActs()).forget(...asked),
  }),
];

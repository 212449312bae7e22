// Desktops: how they are added, tried and changed.
import { type Command, command, type Facts } from './command.ts';
import { thingArgument } from './find.ts';
import { needs, onlyAtRoot, reaches, signedIn } from './gates.ts';
import { copyAddress } from './resources.ts';
import { labelsArgument, wrongAddress } from './servers.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./desktop-acts.ts');

const onDesktops = (facts: Facts): boolean => signedIn(facts) && reaches('desktops')(facts);
const wrongName = (typed: string): string | undefined =>
  /^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/.test(typed.trim())
    ? undefined
    : 'At most 128 letters, digits, dots, dashes and underscores';
const protocolArgument = {
  name: 'protocol',
  title: 'What it speaks',
  once: true,
  choices: () => [
    { value: 'rdp', title: 'rdp', detail: 'Remote Desktop: Windows, xrdp' },
    { value: 'vnc', title: 'vnc', detail: 'Linux and other desktops' },
  ],
} as const;

export const desktops: readonly Command[] = [
  copyAddress('desktop', 'desktops'),
  command({
    id: 'desktops.add',
    title: 'Add a desktop…',
    manual: 'addDesktop',
    group: 'manage',
    words: ['new', 'register', 'windows', 'rdp', 'vnc', 'enroll'],
    when: onDesktops,
    blocked: facts => needs('desktops', 'create', 'windows_desktop')(facts) ?? onlyAtRoot(facts),
    args: [
      { name: 'name', title: 'Name, such as win-7', free: wrongName, choices: () => [] },
      protocolArgument,
      { name: 'address', title: 'Address, host or host:port', free: wrongAddress, choices: () => [] },
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'desktops.try',
    title: 'Try a desktop…',
    manual: 'addDesktop',
    group: 'manage',
    words: ['test', 'check', 'diagnose', 'connection', 'why', 'probe'],
    when: onDesktops,
    args: [thingArgument('desktop')],
    run: async (...asked) => (await loadActs()).trial(...asked),
  }),
  command({
    id: 'desktops.change',
    title: 'Change the address or the labels of a desktop…',
    group: 'manage',
    words: ['edit', 'move', 'host', 'tags'],
    when: onDesktops,
    blocked: facts => needs('desktops', 'edit', 'windows_desktop')(facts) ?? onlyAtRoot(facts),
    args: [
      thingArgument('desktop'),
      { name: 'address', title: 'New address, or nothing', optional: true, free: wrongAddress, choices: () => [] },
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).change(...asked),
  }),
  command({
    id: 'desktops.remove',
    title: 'Remove a desktop…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'forget'],
    when: onDesktops,
    blocked: facts => needs('desktops', 'remove', 'windows_desktop')(facts) ?? onlyAtRoot(facts),
    args: [thingArgument('desktop')],
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];

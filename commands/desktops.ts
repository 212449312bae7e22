// Desktops: how they are added, tried and changed.
import { desktopAddress } from '../src/contract/desktop-address.ts';
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { needs, onlyAtRoot, reaches, reachesInConsole, signedIn } from './gates.ts';
import { wrongLogin } from './login.ts';
import { addressArgument, registered } from './registered.ts';
import { copyAddress } from './resources.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./desktop-acts.ts');

/** What is wrong with a name for one, or undefined. */
export const wrongDesktopName = (typed: string): string | undefined =>
  /^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/.test(typed.trim())
    ? undefined
    : 'At most 128 letters, digits, dots, dashes and underscores';
/** `desktop win-7`, `desktop alice@win-7`; after `desktop ` the name may still be missing. */
function readDesktop(typed: string): Readonly<Record<string, string>> | undefined {
  const [, login, desktop] = /^desktop\s+(?:([^\s@]+)@)?(\S*)\s*$/.exec(typed) ?? [];
  return desktop === undefined ? undefined : { desktop, ...(login !== undefined && { login }) };
}
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
  command({
    id: 'desktops.open',
    title: 'Open a desktop…',
    manual: 'openDesktop',
    group: 'session',
    words: ['connect', 'windows', 'vnc', 'remote'],
    when: reachesInConsole('desktops'),
    args: [
      thingArgument('desktop'),
      {
        name: 'login',
        title: 'Log in as',
        free: wrongLogin,
        sole: true,
        choices: async (...asked) => (await loadActs()).logins(...asked),
      },
    ],
    fits: ({ logins }) => logins !== undefined && logins.length > 0,
    onThing: { label: 'Connect', title: name => `Open the desktop ${name}`, icon: 'Monitor' },
    phrase: {
      example: 'desktop alice@win-7',
      usage: {
        name: 'desktop',
        args: [
          { name: 'login', text: '[LOGIN@]' },
          { name: 'desktop', text: 'DESKTOP' },
        ],
      },
      read: readDesktop,
      write: ({ login, desktop = '' }) => `desktop ${login === undefined ? '' : `${login}@`}${desktop}`,
    },
    // On the page that terminals fill: a desktop wants the room.
    run: (given, { clusterId }, tools) =>
      tools.go('consoleConnect', {
        clusterId,
        serverId: desktopAddress(answer(given, 'desktop').value),
        login: answer(given, 'login').value,
      }),
  }),
  command({
    id: 'desktops.password',
    title: 'Keep the password of a desktop…',
    manual: 'openDesktop',
    group: 'manage',
    words: ['vault', 'secret'],
    // A command line would show it to whoever lists what runs.
    when: reachesInConsole('desktops'),
    blocked: facts => needs('desktops', 'edit', 'windows_desktop')(facts) ?? onlyAtRoot(facts),
    args: [
      thingArgument('desktop'),
      {
        name: 'login',
        title: 'Login',
        free: wrongLogin,
        choices: async (...asked) => (await loadActs()).logins(...asked),
      },
      {
        name: 'secret',
        title: 'Password, or nothing to forget it',
        optional: true,
        free: () => undefined,
        pasted: () => 'a password',
        choices: () => [],
      },
    ],
    run: async (...asked) => (await loadActs()).keepPassword(...asked),
  }),
  command({
    id: 'desktops.trust',
    title: 'Trust the new certificate of a desktop…',
    manual: 'trustDesktop',
    group: 'manage',
    words: ['changed', 'fingerprint', 'pin', 'reinstalled', 'renewed', 'tls'],
    when: facts => signedIn(facts) && reaches('desktops')(facts),
    blocked: facts => needs('desktops', 'edit', 'windows_desktop')(facts) ?? onlyAtRoot(facts),
    args: [thingArgument('desktop')],
    phrase: {
      example: 'Trust the new certificate of win-7',
      usage: { name: 'trust the new certificate of', args: [{ name: 'desktop', text: 'DESKTOP' }] },
      read: typed => {
        const desktop = /^trust the new certificate of (?!a desktop)([^\s…]+)…?\s*$/i.exec(typed)?.[1];
        return desktop === undefined ? undefined : { desktop };
      },
      write: ({ desktop = '' }) => `Trust the new certificate of ${desktop}`,
    },
    run: async (...asked) => (await loadActs()).trust(...asked),
  }),
  command({
    id: 'desktops.discover',
    title: 'Find the desktops of a directory…',
    manual: 'findDesktops',
    group: 'manage',
    words: ['ldap', 'active directory', 'domain', 'discovery', 'add', 'windows'],
    when: reachesInConsole('discover'),
    blocked: facts => needs('discoveries', 'create', 'discovery_config')(facts) ?? onlyAtRoot(facts),
    run: (_given, _facts, tools) => tools.go('discover', {}, { tile: 'directory', step: 'discover' }),
  }),
  copyAddress('desktop', 'desktops'),
  ...Object.values(
    registered({
      noun: 'desktop',
      prefix: 'desktops',
      one: 'a desktop',
      page: 'desktops',
      key: 'desktops',
      resource: 'windows_desktop',
      manual: 'addDesktop',
      words: ['windows', 'rdp', 'vnc'],
      name: { name: 'name', title: 'Name, such as win-7', free: wrongDesktopName, choices: () => [] },
      asks: [protocolArgument, addressArgument],
      changes: { what: 'the address', title: 'New address, or nothing' },
      loadActs: async () => (await loadActs()).acts,
    }),
  ),
];

// Join tokens: the line that lets a machine join, and revoking it.
import { parseDuration } from '../src/contract/duration.ts';
import { textChoice } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { needs, onlyAtRoot, signedIn } from './gates.ts';
import { labelsArgument } from './servers.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./token-acts.ts');

export const tokens: readonly Command[] = [
  command({
    id: 'tokens.add',
    title: 'Let a machine join…',
    manual: 'joinMachine',
    group: 'manage',
    words: ['join', 'token', 'enroll', 'install', 'script', 'tunnel', 'new server', 'behind nat', 'register'],
    when: signedIn,
    blocked: facts => needs('tokens', 'create', 'join tokens')(facts) ?? onlyAtRoot(facts),
    args: [
      {
        name: 'as',
        title: 'As what?',
        choices: () => [
          { value: 'server', title: 'server', detail: 'A machine with sshd' },
          { value: 'database', title: 'database', detail: 'One that this machine reaches' },
          { value: 'application', title: 'application', detail: 'One that this machine reaches' },
          { value: 'leaf', title: 'leaf', detail: 'A leaf cluster that trusts this one' },
        ],
      },
      {
        name: 'uses',
        title: 'How many may join; nothing: as many as there are until it ends',
        optional: true,
        free: typed => (/^([1-9]\d{0,4})?$/.test(typed) ? undefined : 'Type a number, or nothing'),
        choices: () => ['1', '10', '100'].map(textChoice),
      },
      {
        name: 'ttl',
        title: 'For how long, such as 4h',
        optional: true,
        free: typed =>
          typed === '' || (parseDuration(typed) ?? 0) >= 1000 ? undefined : 'Type a time such as 4h or 7d, or nothing',
        choices: () => ['4h', '1h', '1d', '7d'].map(textChoice),
      },
      labelsArgument,
    ],
    run: async (...asked) => (await loadActs()).add(...asked),
  }),
  command({
    id: 'tokens.remove',
    title: 'Revoke a join token…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'remove', 'token', 'join'],
    when: signedIn,
    blocked: facts => needs('tokens', 'remove', 'join tokens')(facts) ?? onlyAtRoot(facts),
    args: [listedArgument('token')],
    onThing: { label: 'Revoke…', title: name => `Revoke ${name}…`, icon: 'Lock' },
    run: async (...asked) => (await loadActs()).remove(...asked),
  }),
];

// Web applications: how they are opened.
import { type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { reaches, signedIn } from './gates.ts';
import { copyAddress } from './resources.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./application-acts.ts');

export const applications: readonly Command[] = [
  command({
    id: 'applications.open',
    title: 'Open an application…',
    group: 'session',
    words: ['launch', 'web', 'browser', 'app', 'visit'],
    when: facts => signedIn(facts) && reaches('apps')(facts),
    args: [thingArgument('application')],
    fits: ({ launch }) => launch !== undefined,
    onThing: { label: 'Launch', title: name => `Open ${name}`, icon: 'AppWindow' },
    run: async (...asked) => (await loadActs()).open(...asked),
  }),
  copyAddress('application', 'apps'),
];

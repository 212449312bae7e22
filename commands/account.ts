// One's own account.
import { Cancelled } from './answer.ts';
import { type Command, command } from './command.ts';
import { inConsole } from './gates.ts';

const terminalsOpen = (count: number): string => (count === 1 ? '1 terminal is open.' : `${count} terminals are open.`);

export const account: readonly Command[] = [
  command({
    id: 'account.password',
    title: 'Change my password',
    group: 'account',
    words: ['credentials', 'secret', 'account'],
    when: inConsole,
    blocked: facts =>
      facts.who?.authType === 'sso' ? 'Your password is kept by the provider you sign in with' : undefined,
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
      const sure = await tools.confirm({
        title: live === 1 ? 'End the session and sign out?' : `End ${live} sessions and sign out?`,
        text: `${terminalsOpen(live)} ${live === 1 ? 'Its shell and what runs in it is' : 'Their shells and what runs in them are'} told to stop.`,
        action: 'End and sign out',
      });
      if (!sure) throw new Cancelled();
      tools.signOut(true);
    },
  }),
];

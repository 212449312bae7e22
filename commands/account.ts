// One's own account.
import { type Command, command } from './command.ts';
import { inConsole } from './gates.ts';

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
    run: (_given, _facts, tools) => tools.go('account'),
  }),
  command({
    id: 'session.signOut',
    title: 'Logout',
    group: 'account',
    destructive: true,
    words: ['sign out', 'log out', 'leave', 'exit'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.signOut(),
  }),
];

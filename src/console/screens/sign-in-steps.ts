// The first lines of every way that begins on a person's own machine: the command line, and signing in with it.
import { installLines } from '../../features/install.ts';
import { shellWord } from '../../features/shell-word.ts';

/** `signIn`: further flags of it. */
export function signInSteps(origin: string, signIn: readonly string[]) {
  const install = installLines(origin);
  return [
    { title: 'Once, where there is Node 22 or later', label: 'installing', text: install.posix },
    { title: 'The same in PowerShell', label: 'installing on Windows', text: install.windows, prefix: '>' as const },
    {
      title: 'Once a day',
      label: 'signing in',
      text: ['postern', 'sign-in', '--url', origin, ...signIn].map(shellWord).join(' '),
    },
  ];
}

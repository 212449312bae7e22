// How to reach a Kubernetes cluster with kubectl, through the gateway: what is typed, line by line.
import { shellWord } from '../../../features/shell-word.ts';
import { signInSteps } from '../sign-in-steps.ts';

interface ConnectAs {
  /** Whom kubectl acts as; empty: whom the roles say. */
  readonly user: string;
  readonly group: string;
}
const words = (...line: readonly string[]): string => line.map(shellWord).join(' ');

/** From the command line on, at the gateway of an origin; `signIn`: further flags of signing in. */
export function commandLines(name: string, { user, group }: ConnectAs, origin: string, signIn: readonly string[]) {
  // kubectl refuses a group without a user.
  const as = user === '' ? [] : [`--as=${user}`, ...(group === '' ? [] : [`--as-group=${group}`])];
  return [
    ...signInSteps(origin, signIn),
    {
      title: 'Write the cluster into your kubeconfig, and select it',
      label: 'the log-in',
      text: words('postern', 'kube', 'login', name),
    },
    { title: 'Look at what runs in it', label: 'the call', text: words('kubectl', 'get', 'pods', ...as) },
  ];
}

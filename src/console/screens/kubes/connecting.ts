// How to reach a Kubernetes cluster with kubectl, through the gateway: what is typed, line by line.
import { shellWord } from '../../../features/shell-word.ts';

interface ConnectAs {
  /** Whom kubectl acts as; empty: whom the roles say. */
  readonly user: string;
  readonly group: string;
}
const words = (...line: readonly string[]): string => line.map(shellWord).join(' ');

/** From signing in on, with the flags of that. */
export function commandLines(name: string, { user, group }: ConnectAs, signIn: readonly string[]) {
  // kubectl refuses a group without a user.
  const as = user === '' ? [] : [`--as=${user}`, ...(group === '' ? [] : [`--as-group=${group}`])];
  return {
    signIn: words('postern', 'sign-in', ...signIn),
    login: words('postern', 'kube', 'login', name),
    example: words('kubectl', 'get', 'pods', ...as),
  };
}

// How to reach a Kubernetes cluster with kubectl: what is typed, line by line.
import { shellWord } from '../../../features/shell-word.ts';

interface ConnectAs {
  /** Whom kubectl acts as; empty: whoever the kubeconfig names. */
  readonly user: string;
  readonly group: string;
}

/** Letters that a file's name may have on any system; a cluster's name may have others. */
const fileName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]/g, '-');

/** A kubeconfig of its own, the context, and a call that shows whether it works. */
export function commandLines(
  name: string,
  { user, group }: ConnectAs,
): { readonly kubeconfig: string; readonly select: string; readonly example: string } {
  // kubectl refuses a group without a user.
  const as = user === '' ? [] : [`--as=${user}`, ...(group === '' ? [] : [`--as-group=${group}`])];
  return {
    kubeconfig: `export KUBECONFIG=~/.kube/${fileName(name)}`,
    select: ['kubectl', 'config', 'use-context', name].map(shellWord).join(' '),
    example: ['kubectl', 'get', 'pods', ...as].map(shellWord).join(' '),
  };
}

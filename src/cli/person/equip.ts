// What programs use, in the folder of a session: keys and certificates for ssh, databases and clusters.
import type { Typed } from '../verb.ts';
import { writeDatabase } from './databases.ts';
import { factsOf } from './facts.ts';
import { writeContext } from './kubernetes.ts';
import { resumeSession } from './signed.ts';
import { writeSshFolder } from './ssh-clients.ts';

/** Writes them for the databases and clusters that `--db` and `--kube` name. Throws Refused, ApiError. */
export async function equip(
  typed: Typed,
  { session: file, kubeconfig }: { readonly session: string; readonly kubeconfig: string },
): Promise<void> {
  await writeSshFolder(file);
  const session = resumeSession(file);
  const { clusterId } = await factsOf(session);
  const at = { session, clusterId, leaf: null, file };
  for (const name of typed.all('--db')) await writeDatabase(at, name);
  for (const name of typed.all('--kube')) await writeContext(at, name, kubeconfig);
}

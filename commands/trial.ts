// Trying something that was added: which step fails is shown with what to do, until it can be used or the person has enough of it.
import type { BodyOf } from '../src/contract/call.ts';
import { diagnoseConnection, type Trace } from '../src/contract/diagnostics.ts';
import type { ManualLinkId } from '../src/features/manual.ts';
import type { Facts, Tools } from './command.ts';

const steps: Readonly<Record<Trace['traceType'], string>> = {
  RBAC_NODE: 'Roles select it',
  RBAC_PRINCIPAL: 'Roles name the login',
  NODE_PRINCIPAL: 'Log-in',
  RBAC_DATABASE: 'Roles select it',
  RBAC_DATABASE_LOGIN: 'Roles name user and database',
  CONNECTIVITY: 'Reached, certificate believed',
  DATABASE_DB_USER: 'Log-in',
  DATABASE_DB_NAME: 'The database is there',
  RBAC_KUBE: 'Rights in the cluster',
  KUBE_PRINCIPAL: 'Acting for you',
  RBAC_APP: 'Roles select it',
  APP_HOST: 'Name for browsers',
  APP_ANSWER: 'Answer',
  RBAC_DESKTOP: 'Roles select it',
  RBAC_DESKTOP_LOGIN: 'Roles name a login',
  DESKTOP_ANSWER: 'What answers',
  UNKNOWN_ERROR: 'Trial',
};
const line = ({ traceType, status, details, error }: Trace): string =>
  status === 'SUCCESS' ? `✓ ${steps[traceType]}: ${details}` : `✗ ${steps[traceType]}: ${error}\n   ${details}`;

/** `good`: what is in order then. */
export async function tryUntilUsable(
  kind: BodyOf<typeof diagnoseConnection>['resource_kind'],
  thing: { readonly name: string; readonly id?: string; readonly login?: string },
  said: { readonly good: string; readonly manual: ManualLinkId },
  { clusterId }: Pick<Facts, 'clusterId'>,
  tools: Tools,
): Promise<void> {
  const { name, id = name, login = '' } = thing;
  for (;;) {
    const { success, traces } = await tools.call(diagnoseConnection, {
      params: { clusterId },
      body: { resource_kind: kind, resource_name: id, ssh_principal: login },
    });
    if (success) return tools.notify(`${name} can be used: ${said.good}`);
    const again = { title: `${name} cannot be used yet`, text: traces.map(line).join('\n'), action: 'Try again' };
    if (!(await tools.confirm({ ...again, manual: said.manual }))) return;
  }
}

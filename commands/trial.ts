// Trying something that was added: which step fails is shown with what to do, until it can be used or the person has enough of it.
import type { BodyOf } from '../src/contract/call.ts';
import { diagnoseConnection, type Trace } from '../src/contract/diagnostics.ts';
import type { ManualLinkId } from '../src/features/manual.ts';
import { traceTitles } from '../src/features/trace-words.ts';
import type { Facts, Tools } from './command.ts';

const line = ({ traceType, status, details, error }: Trace): string =>
  status === 'SUCCESS'
    ? `✓ ${traceTitles[traceType]}: ${details}`
    : `✗ ${traceTitles[traceType]}: ${error}\n   ${details}`;

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

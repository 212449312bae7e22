// Trials: whether something can be used by whoever asks.
import type { BodyOf } from '../../contract/call.ts';
import { diagnoseConnection, getDiagnosis } from '../../contract/diagnostics.ts';
import { Failure } from '../../contract/failure.ts';
import type { Who } from '../ports/who.ts';
import type { Factors } from '../services/identity/factors/factors.ts';
import type { Diagnosis } from '../services/protocols/databases/diagnose.ts';
import { tryServer } from '../services/sessions/server-trial.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

type Wish = BodyOf<typeof diagnoseConnection>;

export function serveDiagnostics(serve: Serve, services: Services): void {
  const { identity, diagnostics, applications, clusterTrials, desktopTrial } = services;
  const trials: Readonly<Record<Wish['resource_kind'], (who: Who, wish: Wish) => Promise<Diagnosis>>> = {
    async node(who, { resource_name: name, ssh_principal: login, mfa_response: proof }) {
      const wish = { server: name, login, ...(await deviceOf(identity.factors, who, proof)) };
      return diagnostics.keep(who, name, await tryServer(services, who, wish));
    },
    db: (who, { resource_name: database, database_user: dbUser, database_name: dbName }) =>
      diagnostics.database(who, { database, dbUser, dbName }),
    app: async (who, { resource_name: name }) => diagnostics.keep(who, name, await applications.trial(who, name)),
    kube_cluster: async (who, { resource_name: name, kubernetes_namespace: namespace }) =>
      diagnostics.keep(who, name, await clusterTrials(who, { name, namespace })),
    windows_desktop: async (who, { resource_name: name }) => diagnostics.keep(who, name, await desktopTrial(who, name)),
  };
  serve(diagnoseConnection, async ({ body }, who) => onWire(await trials[body.resource_kind](who, body)));
  serve(getDiagnosis, ({ params: { id } }, who) => onWire(diagnostics.found(who, id)));
}

const onWire = ({ traces, ...said }: Diagnosis) => ({ ...said, traces: [...traces] });

/** The device of a proof that came with the call. Throws Failure denied for one that does not hold. */
async function deviceOf(
  factors: Pick<Factors, 'prove'>,
  { userId }: Who,
  given: Wish['mfa_response'],
): Promise<{ readonly device?: string }> {
  const assertion = given?.webauthn_response;
  if (!assertion) return {};
  const device = await factors.prove(userId, { assertion }, 'account');
  if (!device) throw new Failure('denied', 'The hardware key was not accepted.');
  return { device: device.id };
}

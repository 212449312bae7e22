// Tries an application as a person: their roles, the name that browsers know it by, the way there, its answer. What fails is said with what to do.
import { X509Certificate } from 'node:crypto';
import { readAddress } from '../../../../contract/address.ts';
import { cloudOf, cloudWords } from '../../../../contract/cloud-applications.ts';
import type { Trace } from '../../../../contract/diagnostics.ts';
import type { Reach } from '../../../ports/reach.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resources } from '../../../store/store.ts';
import { awsPartition, awsRolesOf } from '../../aws-console.ts';
import { cloudIdentitiesOf } from '../../cloud-identities.ts';
import { createTraces } from '../../traces.ts';
import type { CloudClients } from '../cloud-door.ts';
import { connectTo } from './connection.ts';
import { requestHeaders } from './headers.ts';
import type { ApplicationIdentity } from './identity.ts';
import type { ApplicationTargets, WebApplication } from './targets.ts';

/** An answer that has not begun by then has failed, ms. */
const ANSWER_MS = 15_000;

export interface ApplicationTrialParts {
  readonly resources: Pick<Resources, 'get'>;
  readonly targets: ApplicationTargets;
  readonly identity: ApplicationIdentity;
  readonly reach: Pick<Reach, 'stream'>;
  readonly clouds: Pick<CloudClients, 'probe'>;
  readonly publicUrl: string;
  /** PEM chains that this gateway shows; empty where TLS is none of its business. */
  readonly certificates: readonly (string | Buffer)[];
}
/** Never throws for what is wrong with the application. */
export type ApplicationTrial = (who: Who, name: string) => Promise<readonly Trace[]>;

export function createApplicationTrial(parts: ApplicationTrialParts): ApplicationTrial {
  const { targets, identity, reach, publicUrl } = parts;

  function hostProblem({ publicAddr }: WebApplication): { readonly problem: string; readonly advice: string } | null {
    if (publicAddr === '')
      return {
        problem: 'browsers have no name for it: below an IP address there are none',
        advice: 'Start the gateway with a --public-url that has a host name, or give the application a public_addr.',
      };
    const fits = parts.certificates.some(pem => new X509Certificate(pem).checkHost(publicAddr) !== undefined);
    if (parts.certificates.length > 0 && !fits)
      return {
        problem: `no certificate of this gateway is for ${publicAddr}`,
        advice: `Give --tls.cert a certificate that is also for ${publicAddr}, such as one for *.${publicAddr.split('.').slice(1).join('.')}.`,
      };
    return null;
  }
  async function answerOf(app: WebApplication, who: Who): Promise<number> {
    const connection = await connectTo(reach, app, () => who.rights.options.reachLoopback);
    try {
      const came = {
        raw: ['Host', app.publicAddr],
        origin: new URL(publicUrl).origin,
        from: '127.0.0.1',
        hasBody: false,
      };
      const answer = await connection.pool.request({
        method: 'GET',
        path: `${app.url.pathname}${app.url.search}`,
        headers: requestHeaders(came, app, await identity.token(who, app.uri)),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      answer.body.on('error', () => undefined).destroy();
      return answer.statusCode;
    } finally {
      connection.close();
    }
  }

  return async (who, name) => {
    const { all, passed, failed } = createTraces();
    const stored = await parts.resources.get('app', name);
    const { uri = '', saml } = (stored?.spec ?? {}) as { readonly uri?: string; readonly saml?: unknown };
    // No browser comes to these through the gateway: there is less to try.
    if (stored && who.rights.selects('app', stored.labels) && (saml !== undefined || uri.startsWith('tcp:'))) {
      passed('RBAC_APP', 'Your roles select it.');
      if (saml !== undefined) return all;
      const { host, port } = readAddress(uri.slice('tcp://'.length)) ?? { host: '', port: null };
      try {
        (await reach.stream({ target: name, host, port: port ?? 0 }, who.rights.options.reachLoopback)).destroy();
      } catch (error) {
        return failed('CONNECTIVITY', 'Look at the address and at firewalls.', error);
      }
      passed('CONNECTIVITY', `${host}:${port} answers: postern proxy app ${name} leads there.`);
      return all;
    }
    const provider = stored && saml === undefined ? cloudOf(uri) : null;
    if (stored && provider && who.rights.selects('app', stored.labels)) {
      passed('RBAC_APP', 'Your roles select it.');
      const { cloud, identity: kind, key } = cloudWords[provider];
      try {
        await parts.clouds.probe(provider);
        passed('CONNECTIVITY', `The gateway runs in ${cloud}.`);
        const [first] = cloudIdentitiesOf(who.rights, provider, stored.labels);
        if (first === undefined)
          return failed('RBAC_PRINCIPAL', `Give one of your roles ${key}.`, `${kind} is not yours in "${name}"`);
        await parts.clouds.probe(provider, first);
        passed('RBAC_PRINCIPAL', `The gateway may be ${first}: postern proxy app ${name} leads there.`);
      } catch (error) {
        return failed(
          'CONNECTIVITY',
          `Run the gateway in ${cloud}, and let it be whom roles name (cloud-metadata says where its metadata service is).`,
          error,
        );
      }
      return all;
    }
    let app: WebApplication | null;
    try {
      app = await targets.named(name);
    } catch (error) {
      return failed('UNKNOWN_ERROR', 'Change what is written of it.', error);
    }
    if (!app || !who.rights.selects('app', app.labels))
      return failed('RBAC_APP', 'Give one of your roles app_labels that match its labels.', `"${name}" was not found`);
    const partition = awsPartition(app.uri);
    if (partition && awsRolesOf(who.rights, partition, app.labels).length === 0)
      return failed(
        'RBAC_APP',
        `Give one of your roles aws_role_arns, such as arn:${partition.name}:iam::123456789012:role/ReadOnly.`,
        `no role of AWS is yours in "${name}"`,
      );
    passed('RBAC_APP', 'Your roles select it.');
    const wrong = hostProblem(app);
    if (wrong) return failed('APP_HOST', wrong.advice, wrong.problem);
    passed('APP_HOST', `Browsers know it as ${app.publicAddr}.`);
    // Browsers are signed in there, and nothing is passed on: who asks is none of its business.
    if (partition) return all;
    const connection = await connectTo(reach, app, () => who.rights.options.reachLoopback);
    try {
      (await connection.open()).destroy();
    } catch (error) {
      return failed('CONNECTIVITY', 'Look at the address, at firewalls, and at the certificate (tls.ca_cert).', error);
    } finally {
      connection.close();
    }
    const kind = app.url.protocol === 'https:' ? ' over TLS with a certificate that is believed' : '';
    passed('CONNECTIVITY', `${app.url.host} answers${kind}.`);
    try {
      const status = await answerOf(app, who);
      if (status >= 500) return failed('APP_ANSWER', 'Look at the log of the application.', `it answers ${status}`);
      passed('APP_ANSWER', `It answers ${status}.`);
    } catch (error) {
      return failed('APP_ANSWER', 'Is that a web server? Look at the address.', error);
    }
    return all;
  };
}

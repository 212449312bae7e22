// Kubernetes clusters: certificates for people's own clients.
import { Failure } from '../../contract/failure.ts';
import { createKubernetesCertificate, kubernetesKeyChallenge } from '../../contract/kubernetes.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveKubernetes(serve: Serve, { identity, kubernetesCredentials }: Services): void {
  serve(kubernetesKeyChallenge, ({ params }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(params.name)),
  );
  serve(createKubernetesCertificate, async ({ params: { name }, body }, who) => {
    const { publicKey, webauthnAssertionResponse: assertion } = body;
    const device = assertion && (await identity.factors.prove(who.userId, { assertion }, 'session', scopeOf(name)));
    if (assertion && !device) throw new Failure('denied', 'The hardware key was not accepted.');
    const { users, groups, ...rest } = await kubernetesCredentials.issue(who, name, publicKey, device?.id);
    return { ...rest, users: [...users], groups: [...groups] };
  });
}

/** What the key is asked for: the answer opens this cluster, and nothing else of the person's. */
const scopeOf = (name: string): string =>
  JSON.stringify({ connection: `cluster ${name}`, title: `the cluster ${name}` } satisfies SessionScope);

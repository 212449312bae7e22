// Kubernetes clusters: adding, changing and removing them, and certificates for people's own clients.
import * as z from 'zod/mini';
import { Failure } from '../../contract/failure.ts';
import { createKubernetesCertificate, kubernetesKeyChallenge } from '../../contract/kubernetes.ts';
import { createKubernetes, deleteKubernetes, updateKubernetes } from '../../contract/kubernetes-changes.ts';
import { kube } from '../../contract/resources.ts';
import { OK } from '../../contract/shapes.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveKubernetes(serve: Serve, services: Services): void {
  const { identity, kubernetesClusters, kubernetesCredentials, reachable } = services;
  serve(createKubernetes, async ({ body }, who) => {
    await kubernetesClusters.add(body, who);
    const { name, labels } = body;
    // Who adds one need not be among those whose roles select it.
    return reachable.kube(who, name).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return z.parse(kube, { name, labels });
      throw error;
    });
  });
  serve(updateKubernetes, async ({ params: { name }, body: { kubeconfig, labels } }, who) => {
    await kubernetesClusters.change(name, { kubeconfig, labels }, who);
    return reachable.kube(who, name);
  });
  serve(deleteKubernetes, async ({ params }, who) => {
    await kubernetesClusters.remove(params.name, who);
    return OK;
  });
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

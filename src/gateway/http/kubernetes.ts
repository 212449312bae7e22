// Kubernetes clusters: adding, changing and removing them, and certificates for people's own clients.
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Failure } from '../../contract/failure.ts';
import { createKubernetesCertificate, kubernetesKeyChallenge } from '../../contract/kubernetes.ts';
import { createKubernetes, deleteKubernetes, updateKubernetes } from '../../contract/kubernetes-changes.ts';
import { kube } from '../../contract/resources.ts';
import { OK } from '../../contract/shapes.ts';
import { clusterAddress } from '../services/protocols/kubernetes/credentials.ts';
import { otherCluster } from './leaf.ts';
import { certifyForLeaf, provenDevice, sessionScope } from './leaf-certificates.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveKubernetes(serve: Serve, services: Services): void {
  const leafOf = (request: FastifyRequest) => otherCluster(request, services.config.clusterName);
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
  serve(kubernetesKeyChallenge, ({ params, request }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(params.name, leafOf(request))),
  );
  serve(createKubernetesCertificate, async ({ params, body, request }, who) => {
    const { name } = params;
    const { publicKey, webauthnAssertionResponse: assertion } = body;
    const leaf = leafOf(request);
    const device = await provenDevice(services, who, assertion, scopeOf(name, leaf));
    if (leaf === undefined) {
      const { users, groups, ...rest } = await kubernetesCredentials.issue(who, name, publicKey, device);
      return { ...rest, users: [...users], groups: [...groups] };
    }
    const wanted = { leaf, kind: 'kube', name, params, publicKey, device } as const;
    const { said, at, made } = await certifyForLeaf(services, createKubernetesCertificate, who, {
      ...wanted,
      route: ({ users, groups }) => ({
        ...{ kubernetes_cluster: name, kubernetes_users: users, kubernetes_groups: groups },
      }),
    });
    return { ...said, ...made, server: clusterAddress(at, name) };
  });
}

const scopeOf = (name: string, leaf: string | undefined): string => sessionScope(`cluster ${name}`, leaf);

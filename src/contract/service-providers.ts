// Service providers of SAML, which take people in by this gateway: added, read, changed and removed one by one.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, givenLabels, labels, name, ok } from './shapes.ts';

/** As a YAML document of kind `app` has them, whose checks they are held to; '' for what is not said. */
const told = {
  /** Where people find the application. */
  uri: z.string(),
  /** What it says about itself, as XML. With it, `entityId` and `acsUrl` are ''. */
  entityDescriptor: z._default(z.string(), ''),
  entityId: z._default(z.string(), ''),
  /** Where answers are posted. */
  acsUrl: z._default(z.string(), ''),
  /** What it is told of a person: user.name, user.roles or traits.NAME; none: uid and roles. */
  attributes: z._default(z.array(z.object({ name: z.string(), value: z.string() })), []),
  relayState: z._default(z.string(), ''),
};
export const serviceProvider = z.object({ name: z.string(), ...told, labels: z._default(labels, []) });
export type ServiceProvider = z.infer<typeof serviceProvider>;
const resource = 'saml_idp_service_provider';
const oneProvider = z.extend(clusterParams, { name });

export const createServiceProvider = call('POST', 'sites/:clusterId/saml-applications', {
  summary: 'Add an application that people sign in to by SAML, with this gateway as its identity provider.',
  access: { resource, verb: 'create' },
  params: clusterParams,
  body: z.object({ name, ...told, labels: z._default(givenLabels, []) }),
  reply: serviceProvider,
});
export const getServiceProvider = call('GET', 'sites/:clusterId/saml-applications/:name', {
  summary: 'What is written of an application that people sign in to by SAML.',
  access: { resource, verb: 'read' },
  params: oneProvider,
  reply: serviceProvider,
});
export const updateServiceProvider = call('PUT', 'sites/:clusterId/saml-applications/:name', {
  summary: 'Write anew what is said of an application that people sign in to by SAML. Labels that are left out stay.',
  access: { resource, verb: 'update' },
  params: oneProvider,
  body: z.object({ ...told, labels: z.optional(givenLabels) }),
  reply: serviceProvider,
});
export const deleteServiceProvider = call('DELETE', 'sites/:clusterId/saml-applications/:name', {
  summary: 'Take an application that people sign in to by SAML out of the list: nobody is signed in to it any more.',
  access: { resource, verb: 'delete' },
  params: oneProvider,
  reply: ok,
});

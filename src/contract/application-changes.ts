// Adding, changing and removing applications.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { application } from './resources.ts';
import { clusterParams, givenLabels, name, ok } from './shapes.ts';

const uri = z
  .string()
  .check(
    z.minLength(1, 'an address such as http://localhost:8080 expected'),
    z.maxLength(2048, 'at most 2048 characters'),
  );
/** Host name by which browsers know it; '' = its name below the console's. */
const publicAddr = z.string().check(z.maxLength(253, 'at most 253 characters'));
const oneApplication = z.extend(clusterParams, { name });

export const createApplication = call('POST', 'sites/:clusterId/apps', {
  summary: 'Add an application. It is not connected to before somebody uses or tries it.',
  access: { resource: 'app_server', verb: 'create' },
  params: clusterParams,
  body: z.object({ name, uri, publicAddr: z._default(publicAddr, ''), labels: z._default(givenLabels, []) }),
  reply: application,
});
export const updateApplication = call('PUT', 'sites/:clusterId/apps/:name', {
  summary: 'Change the address, the host name or the labels of an application; what is left out stays.',
  access: { resource: 'app_server', verb: 'update' },
  params: oneApplication,
  body: z
    .object({ uri: z.optional(uri), publicAddr: z.optional(publicAddr), labels: z.optional(givenLabels) })
    .check(z.refine(body => Object.keys(body).length > 0, 'uri, publicAddr or labels expected')),
  reply: application,
});
export const deleteApplication = call('DELETE', 'sites/:clusterId/apps/:name', {
  summary: 'Take an application out of the list. The application itself is not touched.',
  access: { resource: 'app_server', verb: 'delete' },
  params: oneApplication,
  reply: ok,
});

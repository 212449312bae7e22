// Adding, changing and removing desktops. They are tried as everything else is (`diagnoseConnection`).
import * as z from 'zod/mini';
import { hostAndPort } from './address.ts';
import { call } from './call.ts';
import { desktop, desktopProtocol } from './resources.ts';
import { clusterParams, givenLabels, name, ok } from './shapes.ts';

const oneDesktop = z.extend(clusterParams, { name });

export const createDesktop = call('POST', 'sites/:clusterId/desktops', {
  summary: 'Add a desktop. It is not connected to before somebody uses or tries it.',
  access: { resource: 'windows_desktop', verb: 'create' },
  params: clusterParams,
  body: z.object({
    name,
    /** host or host:port; without a port, that of the protocol. */
    addr: hostAndPort,
    protocol: z._default(desktopProtocol, 'rdp'),
    labels: z._default(givenLabels, []),
  }),
  reply: desktop,
});
export const updateDesktop = call('PUT', 'sites/:clusterId/desktops/:name', {
  summary: 'Change the address, the protocol or the labels of a desktop; what is left out stays.',
  access: { resource: 'windows_desktop', verb: 'update' },
  params: oneDesktop,
  body: z
    .object({
      addr: z.optional(hostAndPort),
      protocol: z.optional(desktopProtocol),
      labels: z.optional(givenLabels),
    })
    .check(z.refine(body => Object.keys(body).length > 0, 'addr, protocol or labels expected')),
  reply: desktop,
});
export const deleteDesktop = call('DELETE', 'sites/:clusterId/desktops/:name', {
  summary: 'Take a desktop out of the list. The desktop itself is not touched.',
  access: { resource: 'windows_desktop', verb: 'delete' },
  params: oneDesktop,
  reply: ok,
});

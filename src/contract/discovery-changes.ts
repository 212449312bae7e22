// Having desktops found in a directory, as its YAML does too (discovery-documents.ts).
import * as z from 'zod/mini';
import { call } from './call.ts';
import { discoverySpec } from './discovery-documents.ts';
import { clusterParams, safeName } from './shapes.ts';

export const createDiscovery = call('POST', 'sites/:clusterId/discoveryconfigs', {
  summary: 'Have desktops found in a directory. It is asked at once: nothing is kept where it cannot be read.',
  access: { resource: 'discovery_config', verb: 'create' },
  params: clusterParams,
  body: z.object({ name: safeName, spec: discoverySpec }),
  reply: z.object({
    name: z.string(),
    /** host:port of the directory. */
    address: z.string(),
    /** Computers that are there now; their desktops come to the list one after the other. */
    found: z.number(),
  }),
});

// Discoveries that people begin one by one: the directory is asked at once, and one that cannot be read is not kept.
import type { DiscoverySpec } from '../../../contract/discovery-documents.ts';
import { Failure } from '../../../contract/failure.ts';
import type { ResourceDocument } from '../../../contract/resource-documents.ts';
import type { Who } from '../../ports/who.ts';
import type { OneByOneParts } from '../one-by-one.ts';
import type { Reading } from './directory.ts';
import { type Directory, type DiscoverySecrets, discoveryColumns, openDirectory } from './stored.ts';

export interface ManagedDiscoveries {
  /**
   * Answers the host:port of the directory, and how many computers are there now. Throws Failure exists, and bad_request with a sentence why the
   * directory could not be read.
   */
  add(
    wanted: { readonly name: string; readonly spec: DiscoverySpec },
    by: Who,
  ): Promise<{ readonly address: string; readonly found: number }>;
}
interface ManagedDiscoveryParts extends Pick<OneByOneParts, 'resources' | 'declared'> {
  readonly secrets: DiscoverySecrets;
  /** Reads a directory. Throws Error with a sentence. */
  readonly read: (directory: Directory) => Promise<Reading>;
}

export function createManagedDiscoveries({
  resources,
  declared,
  secrets,
  read,
}: ManagedDiscoveryParts): ManagedDiscoveries {
  return {
    async add({ name, spec }, by) {
      if (await resources.get('discovery_config', name))
        throw new Failure('exists', `there is a discovery "${name}" already`);
      const document: ResourceDocument<'discovery_config'> = {
        kind: 'discovery_config',
        version: 'v1',
        metadata: { name },
        spec,
      };
      const columns = await discoveryColumns(secrets, document, null);
      const { computers } = await read(openDirectory(secrets, { name, ...columns })).catch((error: unknown) => {
        throw new Failure('bad_request', `${error instanceof Error ? error.message : String(error)}; nothing was kept`);
      });
      const { problems } = await declared.apply([{ name, content: JSON.stringify(document) }], { by: by.user });
      if (problems.length > 0) throw new Failure('bad_request', problems.join('; '));
      return { address: columns.address, found: computers.length };
    },
  };
}

// The resources that the configuration names: applied when the gateway starts, and again whenever their files change.

import { openFileWatch, readResourceFiles } from '../node/resource-files.ts';
import type { Core } from './core.ts';
import { ConfigurationError } from './services/configuration/configuration.ts';
import type { StaticApplied } from './services/resources/resources.ts';

/**
 * Applies them and watches; null when the configuration names none and none are left from before. You must dispose it. Throws
 * ConfigurationError with everything that is wrong: a gateway does not start on half of what it was told.
 */
export async function openStaticResources({
  configuration: { resourcesPath },
  declared,
  gatewayId,
  log,
}: Pick<Core, 'configuration' | 'declared' | 'gatewayId' | 'log'>): Promise<{ dispose(): void } | null> {
  const paths = resourcesPath === null ? [] : [resourcesPath];
  const apply = async (): Promise<StaticApplied> => declared.applyStatic(await readResourceFiles(paths), gatewayId);
  const tell = ({ resources, problems, notes, kept }: StaticApplied): void => {
    for (const { kind, name, change } of resources)
      if (change !== 'unchanged') log.info(`static configuration: ${kind}/${name}: ${change}`);
    for (const problem of [...problems, ...notes, ...kept]) log.warn(`static configuration: ${problem}`);
  };

  let first: StaticApplied;
  try {
    first = await apply();
  } catch (error) {
    throw paths.length > 0 ? new ConfigurationError([`resources: ${messageOf(error)}`]) : error;
  }
  if (first.problems.length > 0) throw new ConfigurationError(first.problems);
  tell(first);
  if (paths.length === 0) return null;
  return openFileWatch(paths, async () => {
    try {
      tell(await apply());
    } catch (error) {
      // What was applied stays until the files can be read again.
      log.warn(`static configuration: ${messageOf(error)}`);
    }
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The boot configuration that the page came with.
import * as z from 'zod/mini';
import { type WebConfig, webConfig } from '../../contract/config.ts';

/** The gateway's own word, with the contract's defaults for what is missing. Throws with what cannot be read, which the page shows. */
export function readConfig(given: unknown): WebConfig {
  const read = z.safeParse(webConfig, given ?? {});
  if (read.success) return read.data;
  throw new Error(`The gateway's configuration cannot be read: ${z.prettifyError(read.error)}`);
}

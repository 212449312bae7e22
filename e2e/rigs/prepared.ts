// A data folder with its first administrator, made once for a run: a gateway that starts on a copy of it is ready in the time of a start.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD } from './browser.ts';
import { acceptInvite } from './client.ts';
import { type GatewayOptions, type GatewayRig, openGateway } from './gateway.ts';

/** Names the folder to the workers of a run. */
const VARIABLE = 'POSTERN_PREPARED_DATA';

/** Runs before the first journey; what it answers runs after the last one. */
export default async function prepare(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-prepared-'));
  const gateway = await openGateway();
  try {
    await acceptInvite(gateway.url, gateway.invite(), PASSWORD);
    await gateway.kill('SIGTERM');
    await cp(gateway.folder, folder, { recursive: true });
  } finally {
    await gateway.dispose();
  }
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** A gateway of its own that has its first administrator, `admin` with PASSWORD. */
export function openPreparedGateway(options: Omit<GatewayOptions, 'copyOf'> = {}): Promise<GatewayRig> {
  const copyOf = process.env[VARIABLE];
  if (copyOf === undefined) throw new Error(`${VARIABLE} is not set: journeys are run with e2e/playwright.config.ts`);
  return openGateway({ ...options, copyOf });
}

// The second factor that a call carries in its query, as calls about files do.
import * as z from 'zod/mini';
import { Failure } from '../../contract/failure.ts';
import { readJson } from '../../contract/json.ts';
import { assertion } from '../../contract/mfa.ts';
import type { Identity } from '../services/identity/identity.ts';

const given = z.object({ webauthnAssertionResponse: assertion });

/** Id of the device of somebody of this cluster that has answered. Throws Failure denied. */
export async function answeringDevice(
  { factors }: { readonly factors: Pick<Identity['factors'], 'prove'> },
  userId: string,
  webauthn: string,
): Promise<string> {
  const read = z.safeParse(given, readJson(webauthn));
  const answer = read.success ? read.data.webauthnAssertionResponse : null;
  const device = answer && (await factors.prove(userId, { assertion: answer }, 'account'));
  if (!device) throw new Failure('denied', 'The hardware key was not accepted.');
  return device.id;
}

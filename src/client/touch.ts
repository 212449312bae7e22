// Several file transfers that are proven by one touch of a hardware key.
import type { MakeCall } from '../contract/call.ts';
import { proveTransfers, SET_MOST } from '../contract/files.ts';
import type { FileRequest } from '../contract/terminal.ts';

/** What each of several transfers says of the one touch that was for all of them; nothing where roles ask for none. */
export type Touch = (request: FileRequest) => Promise<Readonly<Record<string, string>>>;

/** `proof` is asked with the first transfer that is begun; each thousand has a touch of its own. */
export function createTouch(
  call: MakeCall,
  place: { readonly clusterId: string; readonly nodeId: string; readonly login: string },
  transfers: readonly FileRequest[],
  proof: () => Promise<{ readonly webauthn?: string }>,
): Touch {
  const asked = new Map<number, ReturnType<Touch>>();
  async function ask(part: number): ReturnType<Touch> {
    const { webauthn } = await proof();
    if (webauthn === undefined) return {};
    const some = transfers.slice(part * SET_MOST, (part + 1) * SET_MOST);
    const [only] = some;
    // A single file needs no set.
    if (transfers.length === 1 && only && !only.reach) return { webauthn };
    return call(proveTransfers, { params: { ...place }, body: { transfers: some, webauthn } });
  }
  return request => {
    const part = Math.floor(Math.max(0, transfers.indexOf(request)) / SET_MOST);
    const leave = asked.get(part) ?? ask(part);
    asked.set(part, leave);
    return leave;
  };
}

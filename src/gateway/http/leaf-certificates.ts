// Certificates for people's own clients of what a leaf has: the leaf says whether somebody may go there and as whom, and the root certifies them.
import type { BodyInput, Call, ReplyOf } from '../../contract/call.ts';
import { Failure } from '../../contract/failure.ts';
import type { Assertion } from '../../contract/mfa.ts';
import type { Who } from '../ports/who.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { CertifiedKind } from '../services/protocols/identity.ts';
import { placeFor } from '../services/protocols/person-certificates.ts';
import { askLeaf } from './leaf.ts';
import type { Services } from './services.ts';

/** A leaf says within this time whether somebody may go there, ms. */
const LEAF_MS = 15_000;

/** What the key is asked for: the answer opens this one thing, and nothing else of the person's. `what`: such as `database orders`. */
export function sessionScope(what: string, leaf: string | undefined, prefix = ''): string {
  const place = leaf === undefined ? what : `${what} of cluster ${leaf}`;
  return JSON.stringify({ connection: `${prefix}${place}`, title: `the ${place}` } satisfies SessionScope);
}
/** Id of the device that has answered, here or at the root of somebody from there; undefined where nothing was. Throws Failure denied. */
export async function provenDevice(
  { identity }: Pick<Services, 'identity'>,
  { userId, shownDevice }: Who,
  assertion: Assertion | null | undefined,
  scope: string,
): Promise<string | undefined> {
  if (!assertion) return shownDevice;
  const device = await identity.factors.prove(userId, { assertion }, 'session', scope);
  if (!device) throw new Failure('denied', 'The hardware key was not accepted.');
  return device.id;
}

interface Wanted<C extends Call> {
  readonly leaf: string;
  readonly kind: CertifiedKind;
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  /** PEM (SPKI), P-256. */
  readonly publicKey: string;
  readonly device: string | undefined;
  /** What the audit log hears of the target, by what the leaf says. */
  readonly route: (said: ReplyOf<C>) => Readonly<Record<string, unknown>>;
}

/** Throws what the leaf refuses with; Failure unsupported where this gateway takes no clients, denied without a second factor that roles ask for. */
export async function certifyForLeaf<C extends Call>(
  { leaves, config, personCertificates }: Pick<Services, 'leaves' | 'config' | 'personCertificates'>,
  call: C,
  who: Who,
  { leaf, kind, name, params, publicKey, device, route }: Wanted<C>,
) {
  const body = { publicKey } as BodyInput<C>;
  const said = await askLeaf(call, leaves, who, leaf, LEAF_MS, { params, body, device });
  const protocol = (said as { readonly protocol?: string }).protocol ?? '';
  const at = placeFor(who, config.clientPorts?.(protocol) ?? null);
  const routed = { ...route(said), cluster: leaf };
  const made = await personCertificates.issue(who, {
    ...{ kind, name, publicKey, device: device ?? '' },
    ...{ cluster: leaf, route: routed },
  });
  return { said, at, made };
}

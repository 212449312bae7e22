// Certificates for tunnels: TCP applications, and databases whose protocol the gateway does not speak.
import { Failure } from '../../contract/failure.ts';
import { createTunnelCertificate, type TunnelKind, tunnelKeyChallenge } from '../../contract/tunnels.ts';
import type { SessionScope } from '../services/identity/factors/factors.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveTunnels(serve: Serve, { tunnels, identity }: Services): void {
  serve(tunnelKeyChallenge, ({ params: { kind, name } }, who) =>
    identity.factors.challenge(who.userId, 'session', scopeOf(kind, name)),
  );
  serve(createTunnelCertificate, async ({ params: { kind, name }, body }, who) => {
    const { publicKey, webauthnAssertionResponse: assertion } = body;
    if (!assertion) return tunnels.issue(who, kind, name, publicKey);
    const device = await identity.factors.prove(who.userId, { assertion }, 'session', scopeOf(kind, name));
    if (!device) throw new Failure('denied', 'The hardware key was not accepted.');
    return tunnels.issue(who, kind, name, publicKey, device.id);
  });
}

/** What the key is asked for: the answer opens this one, and nothing else of the person's. */
const scopeOf = (kind: TunnelKind, name: string): string => {
  const what = `${kind === 'app' ? 'application' : 'database'} ${name}`;
  return JSON.stringify({ connection: `tunnel ${what}`, title: `the ${what}` } satisfies SessionScope);
};

// The services of clusters that trust each other, over what the rest of the gateway is made of.
import { hostname } from 'node:os';
import { openSockets } from './live/sockets.ts';
import type { AuditLog } from './ports/audit.ts';
import type { Changes } from './ports/changes.ts';
import type { TunnelGate } from './ports/tunnels.ts';
import type { Who } from './ports/who.ts';
import type { Identity } from './services/identity/identity.ts';
import type { SecretBox } from './services/identity/secret-box.ts';
import { dialGateway } from './services/protocols/ssh/dial.ts';
import { fingerprintOfBlob } from './services/protocols/ssh/host-key.ts';
import type { DeclaredResources } from './services/resources/resources.ts';
import { openChecks } from './services/sessions/policy/checks.ts';
import type { JoinTokens } from './services/tokens/tokens.ts';
import { createAsserting } from './services/trust/assertion.ts';
import { createLeafClients, type LeafClients } from './services/trust/leaf-clients.ts';
import { createLeaves, type Leaves } from './services/trust/leaves.ts';
import { createReception, type Reception } from './services/trust/reception.ts';
import { createRoots, type Roots } from './services/trust/roots.ts';
import type { Visitors } from './services/trust/visitors.ts';
import { openVouching } from './services/trust/vouching.ts';
import type { Store } from './store/store.ts';

export interface TrustParts {
  readonly resources: Store['resources'];
  readonly settings: Store['settings'];
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly changes: Changes;
  readonly identity: Pick<Identity, 'sessions'>;
  readonly visitors: Visitors;
  readonly tokens: JoinTokens;
  readonly declared: DeclaredResources;
  readonly clusterName: string;
  /** Address of the console. */
  readonly publicUrl: string;
  readonly gatewayId: string;
  /** The key that this gateway's tunnel port shows; null where nothing listens there. */
  readonly hostKey: () => Promise<string | null>;
  readonly report: (problem: string, error: unknown) => void;
}
export interface Trust {
  readonly leaves: Leaves;
  readonly roots: Roots;
  readonly reception: Reception;
  readonly leafClients: LeafClients;
  /** Calls once when a web session is over; answers what stops that. */
  readonly watch: (session: Pick<Who, 'userId' | 'webSessionId'>, over: (why: string) => void) => () => void;
  close(): void;
}

/** You must close it. It dials no root before its roots are started. */
export function openTrust(parts: TrustParts): Trust {
  const { secretBox: secrets, settings, clusterName, changes, identity, gatewayId } = parts;
  const asserting = createAsserting({ settings, secrets }, clusterName);
  const leaves = createLeaves({
    ...parts,
    asserting,
    fingerprint: fingerprintOfBlob,
    gateway: { id: gatewayId, hostname: hostname() },
    noted: (who, leaf) => vouching.noted(who, leaf),
  });
  const vouching = openVouching({
    ...parts,
    sessions: identity.sessions,
    openChecks,
    asserting,
    connectionOf: leaves.connectionOf,
  });
  const reception = createReception(parts.visitors);
  const roots = createRoots({
    ...parts,
    dial: dialGateway,
    reception,
    changed: () => changes.emit({ kind: 'webSessionsEnded' }),
  });
  const failed = (error: unknown) =>
    parts.report('web sessions of clients at leaf clusters could not be checked', error);
  const sockets = openSockets({ sessions: identity.sessions, changes, isOwn: () => false, failed });
  const { again } = identity.sessions;
  return {
    leafClients: createLeafClients({ leaves, again, watch: sockets.add, report: parts.report }),
    watch: sockets.add,
    leaves,
    roots,
    reception,
    close() {
      sockets.dispose();
      roots.close();
      vouching.close();
      leaves.close();
      reception.close();
    },
  };
}

/** Whoever dials in is known to one of the two. */
export const eitherGate = (first: TunnelGate, second: TunnelGate): TunnelGate => ({
  judge: async key => (await first.judge(key)) ?? second.judge(key),
});

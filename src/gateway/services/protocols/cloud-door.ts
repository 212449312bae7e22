// The way in to the APIs of clouds, for tunnels, which know whose a connection is, and for trials.
import type { Duplex } from 'node:stream';
import type { CloudProvider } from '../../../contract/cloud-applications.ts';
import type { ApplicationTarget } from '../../ports/applications.ts';
import type { Who } from '../../ports/who.ts';
import type { Identity } from './identity.ts';

interface Chosen {
  readonly provider: CloudProvider;
  readonly identity: string;
  /** What the audit log hears of it with the certificate. */
  readonly route: Readonly<Record<string, string>>;
}
export interface CloudClient {
  readonly identity: Identity;
  readonly remoteAddr: string;
}
export interface CloudClients {
  /** As whom: what is asked for, or the only one there is. Throws Failure bad_request where none or a wrong one is named, denied. */
  choose(
    who: Who,
    target: { readonly provider: CloudProvider; readonly application: ApplicationTarget },
    asked: Readonly<Record<CloudProvider, string | undefined>>,
    device: string,
  ): Promise<Chosen>;
  /** Takes a connection, whose certificate has been read: an empty line goes to the client, and then HTTP. */
  take(socket: Duplex, client: CloudClient): void;
  /** Whether the machine is in that cloud, and lets the gateway be somebody there. Throws Failure with a sentence. */
  probe(provider: CloudProvider, identity?: string): Promise<void>;
}

// What the gateway's SSH port asks of those that stand behind it: one of them takes tunnels, another takes people.
import type { Connection } from 'ssh2';

/** What somebody shows at the port, before it is known whether they hold the private key. */
export interface Offer {
  /** User name as it was sent: up to 1 kB of anything. */
  readonly user: string;
  /** Such as `ssh-ed25519` or `ssh-ed25519-cert-v01@openssh.com`; '' where nothing is shown. */
  readonly algorithm: string;
  /** The public key, or the certificate, as it goes over the wire; empty where nothing is shown. */
  readonly blob: Buffer;
  /** host:port. */
  readonly remoteAddr: string;
}
/** Somebody who has proven that they hold the key. */
export interface Guest {
  readonly connection: Connection;
  readonly remoteAddr: string;
  /** What `act` writes to the connection goes out in one piece. */
  together(act: () => void): void;
  /** Cuts the connection: nothing is waited for. Calling it again does nothing. */
  hangUp(): void;
}
export interface Entered {
  /** The plain public key, as it goes over the wire, that must have signed; null: whoever handed the connection over has vouched. */
  readonly publicKey: Buffer | null;
  /** A peer that has said nothing for so long, though it was asked to, is cut off, ms. */
  readonly silentMostMs: number;
  /** What is sent in one turn leaves in one piece. Not for people: their clients show no last words that come together with the end. */
  readonly gathersPackets?: true;
  /** The client is in: attach listeners at once. The connection emits `close` at its end. */
  begin(guest: Guest): void;
}
export interface Way {
  /** Null: nobody comes in with this. The client may ask first and sign afterwards, so it is called more than once. Never throws. */
  judge(offer: Offer): Promise<Entered | null>;
}
/** By the user name: tunnels are dialled by `tunnel`, all other names are people's. */
export interface Ways {
  readonly tunnel: Way;
  readonly people: Way;
}
/** Takes nobody. */
export const closedWay: Way = { judge: async () => null };

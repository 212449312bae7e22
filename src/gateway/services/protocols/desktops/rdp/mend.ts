// One RDP connection between a server and the browser's engine: each message looked at, mended, handed on, answered or left out.
import { Malformed } from '../passing.ts';
import { type Channel, clipboardChannel, dynamicChannel } from './channels.ts';
import { type Credentials, writeCredentials } from './client-info.ts';
import { createDrawn } from './drawn.ts';
import { mendClientHello, mendServerHello } from './hello.ts';
import { channelData, isConnect, readChannelData, type Side, withData } from './mcs.ts';
import { isSlow } from './pdus.ts';

export interface MendParts {
  readonly credentials: Credentials;
  /** What the server has chosen to be secured by, and what the client had asked for. */
  readonly secured: number;
  readonly requested: number;
  sharesClipboard(): boolean;
  copied(from: Side, bytes: number): void;
  toServer(pdu: Buffer): void;
  /** `isDrawn`: it is what a recording needs. */
  toClient(pdu: Buffer, isDrawn: boolean): void;
}
/** All throw Malformed. */
export interface Mender {
  fromClient(pdu: Buffer): void;
  fromServer(pdu: Buffer): void;
}

export function createMender(parts: MendParts): Mender {
  const drawn = createDrawn();
  let names: readonly string[] | null = null;
  /** Channels that are let through, by number. */
  let channels: ReadonlyMap<number, Channel> | null = null;
  let io = 0;
  let isLoggedIn = false;
  /** Who the client is on the channels. */
  let user = 0;

  function open(server: Buffer): Buffer {
    const hello = mendServerHello(server, parts.requested);
    const known: Readonly<Record<string, Channel>> = {
      cliprdr: clipboardChannel({ isShared: parts.sharesClipboard, copied: parts.copied }),
      drdynvc: dynamicChannel(),
    };
    const found = new Map<number, Channel>();
    for (const [index, number] of hello.channels.entries()) {
      const name = names?.[index] ?? '';
      const channel = Object.hasOwn(known, name) ? known[name] : undefined;
      if (channel) found.set(number, channel);
    }
    if (hello.messages !== 0) found.set(hello.messages, () => ({ goesOn: true }));
    found.delete(hello.io);
    io = hello.io;
    channels = found;
    return hello.pdu;
  }
  function beside(pdu: Buffer, from: Side, number: number, data: Buffer): void {
    const channel = channels?.get(number);
    if (!channel) return;
    const { goesOn, instead, answer } = channel(data, from);
    const [on, back] =
      from === 'fromClient'
        ? [parts.toServer, (bytes: Buffer) => parts.toClient(bytes, false)]
        : [(bytes: Buffer) => parts.toClient(bytes, false), parts.toServer];
    if (goesOn) on(pdu);
    else if (instead) on(channelData(from, user, number, instead));
    if (answer) back(channelData(from === 'fromClient' ? 'fromServer' : 'fromClient', user, number, answer));
  }

  return {
    fromClient(pdu) {
      if (isConnect(pdu)) {
        if (names) throw new Malformed('the client began twice');
        const hello = mendClientHello(pdu, parts.secured);
        names = hello.channels;
        parts.toServer(hello.pdu);
        return;
      }
      if (!names) throw new Malformed('the client did not begin');
      if (!isSlow(pdu)) {
        if (!isLoggedIn) throw new Malformed('the client did something before it logged in');
        parts.toServer(pdu);
        return;
      }
      const sent = readChannelData(pdu, 'fromClient');
      if (!sent) {
        parts.toServer(pdu);
        return;
      }
      if (!channels) throw new Malformed('the client did something before it was let in');
      user = sent.user;
      if (sent.channel !== io) beside(pdu, 'fromClient', sent.channel, sent.data);
      else if (isLoggedIn) parts.toServer(pdu);
      else {
        isLoggedIn = true;
        parts.toServer(withData(sent, writeCredentials(sent.data, parts.credentials)));
      }
    },
    fromServer(pdu) {
      if (!isSlow(pdu)) {
        parts.toClient(drawn.mendFast(pdu), true);
        return;
      }
      if (isConnect(pdu)) {
        if (!names || channels) throw new Malformed('the server answered what nobody asked');
        parts.toClient(open(pdu), true);
        return;
      }
      const sent = readChannelData(pdu, 'fromServer');
      if (!sent) parts.toClient(pdu, true);
      else if (sent.channel !== io) beside(pdu, 'fromServer', sent.channel, sent.data);
      else {
        const data = drawn.mend(sent.data);
        if (data) parts.toClient(data === sent.data ? pdu : withData(sent, data), true);
      }
    },
  };
}

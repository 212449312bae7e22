// The server of a recording as the RDP engine meets it, in a page and in the gateway: it lets the engine in as the real one let somebody in.
import { createCutter, question, readAsked, recordedWelcome } from './rdp-recorded.ts';
import { openRdpSocket } from './rdp-socket.ts';

/** The client asks who it is on the channels. */
const ATTACH = 0x28;

export interface RecordedServer {
  /** To be connected to. */
  readonly address: string;
  /** Once the engine is let in: what the server drew then. */
  tell(pdu: Uint8Array): void;
  /** Resolves when the engine has done all that it was told; never where it has ended. Null: this server had no way to ask. */
  answered(): Promise<void> | null;
  close(): void;
}

/** `welcome`: what came before the screen; `beginning`: what begins it. You must close it. */
export function openRecordedServer(recorded: {
  readonly welcome: readonly Uint8Array[];
  readonly channels: readonly number[];
  readonly beginning: readonly Uint8Array[];
  /** DER. */
  readonly certificate: Uint8Array;
}): RecordedServer {
  const { channels, beginning, certificate } = recorded;
  const rest = [...recorded.welcome];
  let isWelcome = false;
  let isLoggedIn = false;
  /** The channel that questions go over, and who waits for their answers. */
  let asks = 0;
  const asked: (() => void)[] = [];
  const cut = createCutter();
  const socket = openRdpSocket(message => {
    if (isWelcome) for (const pdu of cut(message)) hear(pdu);
    else {
      isWelcome = true;
      socket.tell(recordedWelcome(certificate));
    }
  });
  function tellNext(): void {
    const pdu = rest.shift();
    if (pdu) socket.tell(pdu);
  }
  function hear(pdu: Uint8Array): void {
    const found = readAsked(pdu);
    if (found.kind === 'hello') {
      asks = channels[found.channels.indexOf('drdynvc')] ?? 0;
      tellNext();
    } else if (found.kind === 'join') socket.tell(found.answer);
    else if (found.kind === 'sent' && found.channel === asks) asked.shift()?.();
    else if (found.kind === 'sent' && !isLoggedIn) {
      isLoggedIn = true;
      for (const told of [...rest.splice(0), ...beginning]) socket.tell(told);
    } else if (pdu[7] === ATTACH) tellNext();
  }
  return {
    address: socket.address,
    tell: socket.tell,
    answered() {
      if (asks === 0) return null;
      return new Promise<void>(done => {
        asked.push(done);
        socket.tell(question(asks));
      });
    },
    close: socket.close,
  };
}

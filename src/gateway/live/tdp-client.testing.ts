// For tests: a client of TDP and of its playback, written from what the wire says of them (desktop sockets, 4 and 5) and from nothing else.
import { once } from 'node:events';

/** Anything that is signed in. */
interface SignedIn {
  readonly bearer: string;
  readonly cookie: string;
}
interface Picture {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly png: Buffer;
}
interface Notification {
  readonly text: string;
  readonly severity: 'info' | 'warning' | 'fatal';
}

function open(site: string, who: SignedIn, path: string, query: Readonly<Record<string, string>>): WebSocket {
  const all = new URLSearchParams({ access_token: who.bearer, ...query });
  const socket = new WebSocket(`${site}/${path}?${all}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  return socket;
}
const u32 = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
};
const text = (words: string): Buffer => Buffer.concat([u32(Buffer.byteLength(words)), Buffer.from(words)]);
const message = (id: number, ...parts: Uint8Array[]): Buffer => Buffer.concat([Buffer.of(id), ...parts]);
/** Set 1, by the places of the keys. */
const SCANCODES: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...'1234567890-='].map((key, at) => [key, 2 + at])),
  ...Object.fromEntries([...'qwertyuiop[]'].map((key, at) => [key, 0x10 + at])),
  ...Object.fromEntries([..."asdfghjkl;'"].map((key, at) => [key, 0x1e + at])),
  ...Object.fromEntries([...'zxcvbnm,./'].map((key, at) => [key, 0x2c + at])),
  ' ': 0x39,
  '\n': 0x1c,
};
const SHIFT = 0x2a;
const CONTROL = 0x1d;
const INSERT = 0xe052;

/** `site`: `ws://HOST:PORT/v1/webapi/sites/NAME`. */
export async function openTdpClient(
  site: string,
  who: SignedIn,
  desktop: string,
  query: Readonly<Record<string, string>>,
) {
  const socket = open(site, who, `desktops/${desktop}/connect`, query);
  const pictures: Picture[] = [];
  const notifications: Notification[] = [];
  const clipboard: string[] = [];
  const challenges: unknown[] = [];
  const acknowledged: { readonly error: number; readonly directory: number }[] = [];
  const unknown: number[] = [];
  const closed = new Promise<void>(done => socket.addEventListener('close', () => done()));
  socket.addEventListener('message', ({ data }) => {
    const bytes = Buffer.from(data as ArrayBuffer);
    const number = (at: number): number => bytes.readUInt32BE(at);
    const words = (at: number): string => bytes.toString('utf8', at + 4, at + 4 + number(at));
    if (bytes[0] === 27) {
      const [left, top, right, bottom] = [number(5), number(9), number(13), number(17)];
      pictures.push({ left, top, right, bottom, png: bytes.subarray(21, 21 + number(1)) });
    } else if (bytes[0] === 28) {
      const severity = (['info', 'warning', 'fatal'] as const)[bytes.at(-1) ?? 3];
      if (severity) notifications.push({ text: words(1), severity });
    } else if (bytes[0] === 6) clipboard.push(words(1));
    else if (bytes[0] === 10 && bytes[1] === 'n'.charCodeAt(0)) challenges.push(JSON.parse(words(2)));
    else if (bytes[0] === 12) acknowledged.push({ error: number(1), directory: number(5) });
    else unknown.push(bytes[0] ?? -1);
  });
  await once(socket, 'open');
  const send = (...parts: Parameters<typeof message>): void => socket.send(Uint8Array.from(message(...parts)));
  const key = (code: number, isDown: boolean): void => send(5, u32(code), Buffer.of(isDown ? 1 : 0));
  const press = (...codes: number[]): void => {
    for (const code of codes) key(code, true);
    for (const code of codes.toReversed()) key(code, false);
  };
  const button = (isDown: boolean): void => send(4, Buffer.of(0, isDown ? 1 : 0));
  return {
    ...{ pictures, notifications, clipboard, challenges, acknowledged, unknown, closed },
    /** What ended it. */
    fatal: () => notifications.find(({ severity }) => severity === 'fatal')?.text,
    /** How far what was drawn reaches. */
    size: () =>
      `${Math.max(0, ...pictures.map(({ right }) => right))}x${Math.max(0, ...pictures.map(({ bottom }) => bottom))}`,
    send,
    close: () => socket.close(),
    move: (x: number, y: number) => send(3, u32(x, y)),
    doubleClick() {
      for (const isDown of [true, false, true, false]) button(isDown);
    },
    type(words: string) {
      for (const letter of words)
        if (letter === '>') press(SHIFT, SCANCODES['.'] ?? 0);
        else press(SCANCODES[letter] ?? 0);
    },
    /** Ctrl-C. */
    interrupt: () => press(CONTROL, SCANCODES.c ?? 0),
    /** What pastes into a terminal. */
    paste: () => press(SHIFT, INSERT),
    copy: (words: string) => send(6, text(words)),
    screen: (width: number, height: number) => send(1, u32(width, height)),
    announce: (directory: number, name: string) => send(11, u32(0, directory), text(name)),
    answer(assertion: unknown) {
      send(10, Buffer.from('n'), text(JSON.stringify(assertion)));
    },
  };
}
export type TdpClient = Awaited<ReturnType<typeof openTdpClient>>;

interface Played {
  readonly message: string;
  readonly ms: number;
  readonly errorText?: string;
}
/** A player of pictures. */
export async function openTdpPlayer(site: string, who: SignedIn, sid: string) {
  const socket = open(site, who, `desktopplayback/${sid}`, {});
  const heard: Played[] = [];
  const closed = new Promise<void>(done => socket.addEventListener('close', () => done()));
  socket.addEventListener('message', ({ data }) => {
    heard.push(JSON.parse(Buffer.from(data as ArrayBuffer).toString('utf8')) as Played);
  });
  await once(socket, 'open');
  return {
    heard,
    closed,
    /** Ids of the messages of TDP that came, in order. */
    ids: () =>
      heard.flatMap(({ message: told, errorText }) =>
        told === 'end' || errorText !== undefined ? [] : [Buffer.from(told, 'base64')[0] ?? -1],
      ),
    isOver: () => heard.at(-1)?.message === 'end',
    say: (action: unknown) => socket.send(typeof action === 'string' ? action : JSON.stringify(action)),
    close: () => socket.close(),
  };
}

// The recording of a desktop as pictures, for clients that know TDP alone: at the pace that the player asks for.
import * as z from 'zod/mini';
import { closeCodes } from '../../contract/terminal.ts';
import type { Drawing } from '../services/desktop-drawing/drawing.ts';
import type { DesktopRecording } from '../services/recordings/recordings.ts';
import { finish, type Socket } from './socket.ts';
import { tdpPicture, tdpScreen } from './tdp.ts';

/** Pictures are sent this far apart at least, ms, and none while more than this waits to be sent, bytes. */
export const FRAME_MS = 40;
const WAITING_MOST_BYTES = 1024 * 1024;
/** Whether more waits to be sent to a client than pictures are drawn for. */
export const isBusy = (socket: Socket): boolean => socket.bufferedAmount > WAITING_MOST_BYTES;
/** Speeds that a player can choose (times real time). */
const SPEED = { least: 0.25, most: 16 } as const;
const control = z.union([
  z.object({ action: z.literal('play/pause') }),
  z.object({ action: z.literal('speed'), speed: z.number() }),
]);

/** Until its end, or until whoever plays it leaves. `tell`: what the player hears, as JSON. Rejects with what it cannot be drawn for. */
export async function playPictures(
  socket: Socket,
  drawing: Drawing,
  { events, started }: DesktopRecording,
  tell: (what: object) => void,
): Promise<void> {
  let speed = 1;
  let isPlaying = true;
  let wake = (): void => undefined;
  const isOpen = (): boolean => socket.readyState === socket.OPEN;
  socket.on('close', () => wake());
  socket.on('message', (message, isBinary) => {
    const read = isBinary ? undefined : z.safeParse(control, jsonOf(String(message)));
    if (!read?.success) return finish(socket, closeCodes.denied, 'unknown action');
    if (read.data.action === 'speed') speed = Math.min(SPEED.most, Math.max(SPEED.least, read.data.speed));
    else isPlaying = !isPlaying;
    wake();
  });
  /** Recorded milliseconds that are shown, and real ones when that was so. */
  let at = 0;
  let since = performance.now();
  const sleep = (ms: number): Promise<void> =>
    new Promise(done => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  async function until(ms: number): Promise<void> {
    while (isOpen()) {
      const now = performance.now();
      if (isPlaying) at += (now - since) * speed;
      since = now;
      if (isPlaying && at >= ms && !isBusy(socket)) return;
      await sleep(isPlaying ? Math.min(1000, Math.max(FRAME_MS, (ms - at) / speed)) : 1000);
    }
  }
  let size = '';
  let ei = 0;
  const say = (ms: number, message: Buffer): void =>
    tell({
      message: message.toString('base64'),
      ms: Math.round(ms),
      // The wire names both (socket wire, playback of desktops); the catalogue has no code for what is a part of a recording and none of the audit log.
      ...{ event: 'desktop.recording', code: '', ei: ei++, time: new Date(started + ms).toISOString() },
    });
  async function show(ms: number, parts: readonly Uint8Array[]): Promise<void> {
    await until(ms);
    if (!isOpen()) return;
    await drawing.feed(Buffer.concat(parts));
    const { width, height, rectangles } = await drawing.take();
    if (width > 0 && size !== `${width}x${height}`) {
      size = `${width}x${height}`;
      say(ms, tdpScreen(width, height));
    }
    for (const part of rectangles) say(ms, tdpPicture(part));
  }
  const parts: Uint8Array[] = [];
  let first = 0;
  for await (const { ms, bytes } of events) {
    if (parts.length > 0 && ms - first >= FRAME_MS * Math.max(1, speed)) {
      await show(first, parts.splice(0));
      if (!isOpen()) return;
    }
    if (parts.length === 0) first = ms;
    parts.push(bytes);
  }
  if (parts.length > 0) await show(first, parts);
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

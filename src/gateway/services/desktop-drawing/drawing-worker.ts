// The thread that draws one desktop: what its engine dies of ends this thread, and nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import type { DrawingAnswer, DrawingJob, DrawingTold, DrawingWanted } from './drawing.ts';
import type { Frame } from './frame.ts';
import type { LiveScreen, LiveSinks, Screen } from './screen.ts';

const wanted = workerData as DrawingWanted;
const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread only');
const tell = (told: DrawingTold): void => port.postMessage(told);
const sinks: LiveSinks = {
  send: bytes => tell({ send: Uint8Array.from(bytes) }),
  copied: text => tell({ copied: text }),
};

async function open(): Promise<Screen & Partial<Pick<LiveScreen, 'act'>>> {
  if (wanted.protocol === 'vnc') {
    if (wanted.live) return (await import('./vnc-live.ts')).openLiveVnc(wanted.live, sinks);
    return (await import('./vnc-screen.ts')).openVncScreen(() => undefined);
  }
  const { openLiveRdp, openRecordedRdp } = await import('./rdp-screen.ts');
  return wanted.live ? openLiveRdp(wanted.live, sinks) : openRecordedRdp();
}
const rectangles = (frame: Frame) =>
  frame.takeDrawn().map(part => ({
    ...{ left: part.left, top: part.top, right: part.left + part.width, bottom: part.top + part.height },
    png: Uint8Array.from(frame.png(part)),
  }));

const screen = open();
async function answer({ do: what, bytes, doing, side }: DrawingJob): Promise<DrawingAnswer> {
  const { frame, feed, act, restored } = await screen;
  if (what === 'feed' && bytes) await feed(Buffer.from(bytes));
  else if (what === 'act' && doing) act?.(doing);
  else if (what === 'take') return { width: frame.width, height: frame.height, rectangles: rectangles(frame) };
  else if (what === 'thumbnail') return { png: frame.width === 0 ? null : Uint8Array.from(frame.thumbnail(side ?? 1)) };
  else if (what === 'restored') {
    const found = restored();
    return { restored: found && { width: frame.width, height: frame.height, ...found } };
  }
  return {};
}
/** One after another, as they came. */
let last: Promise<unknown> = screen;
port.on('message', (job: DrawingJob) => {
  last = last
    .then(() => answer(job))
    .then(
      done => tell({ id: job.id, ...done }),
      (error: unknown) => tell({ id: job.id, problem: error instanceof Error ? error.message : String(error) }),
    );
});

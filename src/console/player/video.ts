// A video of what the recording of a desktop shows: it is played from its beginning, and what is on the screen is recorded as it goes. How fast,
// and whether with idle time, is how it is played.
import type { Playback } from './playback.ts';

const FRAMES_PER_SECOND = 25;
/** Screens stand still mostly: what moves may take this much. */
const BITS_PER_SECOND = 4_000_000;
/** The recorder hands over what it has this often, ms. */
const PART_MS = 500;
/** Parts that are handed over behind the end: however busy the machine is, the last picture is in the video then. */
const PARTS_BEHIND = 2;
const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'] as const;

interface VideoParts {
  readonly playback: Pick<Playback, 'state' | 'apply' | 'behind'>;
  /** What is on the screen now; null: nothing is yet. */
  shown(): HTMLCanvasElement | null;
  /** Of the video, pixels: what is larger or smaller is fitted into it. */
  readonly size: { readonly width: number; readonly height: number };
  /** Hears how much of the recording is in the video, 0 to 1. */
  progress(share: number): void;
}
export interface RecordedVideo {
  /** Null: it was given up. Rejects with what it could not be made for. */
  readonly done: Promise<Blob | null>;
  cancel(): void;
}

/** Throws where the browser makes none. */
export function recordVideo({ playback, shown, size, progress }: VideoParts): RecordedVideo {
  const mimeType = KINDS.find(kind => typeof MediaRecorder === 'function' && MediaRecorder.isTypeSupported(kind));
  const canvas = document.createElement('canvas');
  // Encoders want even sides.
  [canvas.width, canvas.height] = [Math.max(2, size.width & ~1), Math.max(2, size.height & ~1)];
  const context = canvas.getContext('2d', { alpha: false });
  if (mimeType === undefined || !context) throw new Error('This browser makes no videos (WebM)');
  const stream = canvas.captureStream(FRAMES_PER_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS_PER_SECOND });
  const parts: Blob[] = [];
  const { promise: done, resolve, reject } = Promise.withResolvers<Blob | null>();
  let isOver = false;
  let frame = 0;
  /** Parts that there were when the end was drawn; null: it is not yet. */
  let partsAtEnd: number | null = null;
  /** It was seen at its beginning: it plays once the recorder has started. */
  let isBegun = false;
  let isStarted = false;

  function paint(to: CanvasRenderingContext2D): void {
    const from = shown();
    to.fillRect(0, 0, canvas.width, canvas.height);
    if (!from || from.width === 0 || from.height === 0) return;
    const scale = Math.min(canvas.width / from.width, canvas.height / from.height);
    const [wide, high] = [from.width * scale, from.height * scale];
    to.drawImage(from, (canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high);
  }
  function end(settle: () => void): void {
    if (isOver) return;
    isOver = true;
    cancelAnimationFrame(frame);
    document.removeEventListener('visibilitychange', follow);
    if (recorder.state !== 'inactive') recorder.stop();
    for (const track of stream.getTracks()) track.stop();
    playback.apply({ kind: 'pause' });
    settle();
  }
  const fail = (why: string): void => end(() => reject(new Error(why)));
  /** What is waited for is not in the video: a part that is fetched, somebody who pauses it, a page that is not drawn. */
  function follow(): void {
    const { clock, loading } = playback.state;
    const isAtEnd = clock.at >= clock.durationMs;
    const waits = document.hidden || loading || (!clock.playing && !isAtEnd);
    if (waits && recorder.state === 'recording') recorder.pause();
    else if (!waits && recorder.state === 'paused') recorder.resume();
  }
  function next(): void {
    const { clock, loading, error } = playback.state;
    if (error !== '') {
      fail(error);
      return;
    }
    paint(context as CanvasRenderingContext2D);
    if (!isBegun && !loading && playback.behind() === 0) {
      isBegun = true;
      recorder.onstart = () => {
        isStarted = true;
        playback.apply({ kind: 'play' });
      };
      recorder.start(PART_MS);
    } else if (isStarted) {
      follow();
      progress(clock.durationMs === 0 ? 1 : clock.at / clock.durationMs);
      const isDrawn = !clock.playing && clock.at >= clock.durationMs && !loading && playback.behind() === 0;
      partsAtEnd = isDrawn ? (partsAtEnd ?? parts.length) : null;
      if (partsAtEnd !== null && parts.length >= partsAtEnd + PARTS_BEHIND && recorder.state === 'recording') {
        recorder.onstop = () => end(() => resolve(new Blob(parts, { type: 'video/webm' })));
        recorder.stop();
        return;
      }
    }
    frame = requestAnimationFrame(next);
  }
  recorder.ondataavailable = ({ data }) => {
    if (data.size > 0) parts.push(data);
  };
  recorder.onerror = () => fail('The browser could not go on making the video');
  document.addEventListener('visibilitychange', follow);
  playback.apply({ kind: 'pause' });
  playback.apply({ kind: 'seek', to: 0 });
  frame = requestAnimationFrame(next);
  return { done, cancel: () => end(() => resolve(null)) };
}

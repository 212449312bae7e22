// Watching a session on a desktop: what was drawn before comes out of its recording, or, where that is much, as one moment that is drawn here;
// and then what is drawn. Pictures build on each other, so that nothing may be left out.
import type { DesktopMoment } from '../../../contract/desktop-sessions.ts';
import type { DesktopProtocol } from '../../../contract/resources.ts';
import type { Who } from '../../ports/who.ts';
import type { Drawing } from '../desktop-drawing/drawing.ts';
import { createDesktopMoments } from './desktop-moments.ts';
import type { Broker } from './participant.ts';

/** Read out of the recording at once, bytes. */
const PART_BYTES = 256 * 1024;
/** What was drawn is in the recording soon: it is looked for this often, ms, and so many times. */
const LOOK_MS = 250;
const LOOKS_MOST = 60;
/** More than this that was drawn is not handed over, bytes: a moment stands for it. */
const WHOLE_MOST_BYTES = 2 * 1024 * 1024;
/** While a moment is drawn the session goes on: it is drawn on so many times. */
const MOMENTS_MOST = 3;
/** What waits for somebody who is slow; then they are shown out, bytes. */
const WAITING_MOST_BYTES = 16 * 1024 * 1024;

interface WatchingParts {
  readonly sessions: Pick<Broker, 'watch'>;
  readonly recordings: { stream(sid: string, offset: number, bytes: number): Promise<Uint8Array | null> };
  readonly openDrawing: (protocol: DesktopProtocol) => Drawing;
  /** Absent: what counts as much is for this file to say. */
  readonly wholeMostBytes?: number;
}
/** The socket of somebody who watches. */
interface Viewer {
  /** Resolves when the network has it. */
  show(bytes: Uint8Array): Promise<void>;
  /** What was drawn before all that is shown. Resolves when the network has it. */
  begin(moment: DesktopMoment): Promise<void>;
  /** Once, last. '' in good order. */
  ended(why: string): void;
}
type Watched = Pick<ReturnType<Broker['watch']>, 'session' | 'protocol' | 'leave'>;
/** Throws Failure as `Broker.watch` does. */
export type DesktopWatching = (who: Who, sid: string, viewer: Viewer) => Watched;

export function createDesktopWatching(parts: WatchingParts): DesktopWatching {
  const { sessions, recordings, openDrawing, wholeMostBytes = WHOLE_MOST_BYTES } = parts;
  async function* read(sid: string, from: number, until: number): AsyncGenerator<Uint8Array> {
    let at = from;
    for (let looks = 0; at < until; ) {
      const part = await recordings.stream(sid, at, Math.min(PART_BYTES, until - at));
      if (part !== null && part.length > 0) {
        yield part;
        at += part.length;
        looks = 0;
      } else if (looks < LOOKS_MOST) {
        looks += 1;
        await new Promise(go => setTimeout(go, LOOK_MS));
      } else throw new Error('its recording does not hold what was drawn');
    }
  }
  const moments = createDesktopMoments({ openDrawing, read });
  const watchers = new Map<string, number>();
  function count(sid: string, by: 1 | -1): void {
    const now = (watchers.get(sid) ?? 0) + by;
    if (now > 0) watchers.set(sid, now);
    else {
      watchers.delete(sid);
      moments.forget(sid);
    }
  }
  return (who, sid, viewer) => {
    /** What was drawn by now, and from where on it waits here; null: it need not, for a moment will show it. */
    let drawn = 0;
    let keptFrom: number | null = 0;
    const waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    let isOver = false;
    let wake = (): void => undefined;
    function end(why: string): void {
      if (isOver) return;
      goneNow();
      viewer.ended(why);
    }
    function goneNow(): void {
      isOver = true;
      count(sid, -1);
      wake();
    }
    function leave(): void {
      if (!isOver) goneNow();
      seat.leave();
    }
    const seat = sessions.watch(sid, who, {
      drawn(bytes) {
        drawn += bytes.length;
        if (keptFrom === null) return;
        waiting.push(Uint8Array.from(bytes));
        waitingBytes += bytes.length;
        if (waitingBytes > WAITING_MOST_BYTES) {
          seat.leave();
          end('You have fallen too far behind what is drawn. Watch again.');
        }
        wake();
      },
      ended: ({ text }) => end(text),
    });

    drawn += seat.offset;
    keptFrom = drawn > wholeMostBytes ? null : drawn;
    count(sid, 1);

    /** Answers where it begins. */
    async function begin(): Promise<number> {
      let found: DesktopMoment | null = null;
      let at = 0;
      for (
        let times = 0;
        keptFrom === null && times < MOMENTS_MOST && drawn - at > wholeMostBytes && !isOver;
        times += 1
      ) {
        const until = drawn;
        found = await moments.at(sid, seat.protocol, until);
        if (!found) break;
        at = until;
      }
      if (found && !isOver) await viewer.begin(found);
      return found ? at : 0;
    }
    async function catchUp(from: number): Promise<void> {
      keptFrom ??= drawn;
      for await (const part of read(sid, from, keptFrom)) {
        if (isOver) return;
        await viewer.show(part);
      }
    }
    async function follow(): Promise<void> {
      while (!isOver) {
        const next = waiting.shift();
        if (next) {
          waitingBytes -= next.length;
          await viewer.show(next);
        } else
          await new Promise<void>(go => {
            wake = go;
          });
      }
    }
    begin()
      .then(catchUp)
      .then(follow)
      .catch(() => {
        seat.leave();
        end('What the desktop shows could not be read from its recording.');
      });
    return { session: seat.session, protocol: seat.protocol, leave };
  };
}

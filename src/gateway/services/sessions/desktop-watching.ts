// Watching a session on a desktop: what was drawn before comes out of its recording, and then what is drawn. Pictures build on each other,
// so that nothing may be left out.
import type { Who } from '../../ports/who.ts';
import type { Broker } from './participant.ts';

/** Read out of the recording at once, bytes. */
const PART_BYTES = 256 * 1024;
/** What was drawn is in the recording soon: it is looked for this often, ms, and so many times. */
const LOOK_MS = 250;
const LOOKS_MOST = 60;
/** What waits for somebody who is slow; then they are shown out, bytes. */
const WAITING_MOST_BYTES = 16 * 1024 * 1024;

interface WatchingParts {
  readonly sessions: Pick<Broker, 'watch'>;
  readonly recordings: { stream(sid: string, offset: number, bytes: number): Promise<Uint8Array | null> };
}
/** The socket of somebody who watches. */
interface Viewer {
  /** Resolves when the network has it. */
  show(bytes: Uint8Array): Promise<void>;
  /** Once, last. '' in good order. */
  ended(why: string): void;
}
type Watched = Pick<ReturnType<Broker['watch']>, 'session' | 'protocol' | 'leave'>;
/** Throws Failure as `Broker.watch` does. */
export type DesktopWatching = (who: Who, sid: string, viewer: Viewer) => Watched;

export function createDesktopWatching({ sessions, recordings }: WatchingParts): DesktopWatching {
  return (who, sid, viewer) => {
    const waiting: Uint8Array[] = [];
    let waitingBytes = 0;
    let isOver = false;
    let wake = (): void => undefined;
    function end(why: string): void {
      if (isOver) return;
      isOver = true;
      wake();
      viewer.ended(why);
    }
    function leave(): void {
      isOver = true;
      wake();
      seat.leave();
    }
    const seat = sessions.watch(sid, who, {
      drawn(bytes) {
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

    async function catchUp(): Promise<void> {
      let at = 0;
      for (let looks = 0; at < seat.offset && !isOver; ) {
        const part = await recordings.stream(sid, at, Math.min(PART_BYTES, seat.offset - at));
        if (part !== null && part.length > 0) {
          await viewer.show(part);
          at += part.length;
          looks = 0;
        } else if (looks < LOOKS_MOST) {
          looks += 1;
          await new Promise(go => setTimeout(go, LOOK_MS));
        } else throw new Error('its recording does not hold what was drawn');
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
    catchUp()
      .then(follow)
      .catch(() => {
        seat.leave();
        end('What the desktop shows could not be read from its recording.');
      });
    return { session: seat.session, protocol: seat.protocol, leave };
  };
}

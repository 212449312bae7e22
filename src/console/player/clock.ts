// When a recording is: a pure machine of time. It knows nothing of screens; the painter asks it where to be.

/** Speeds a person can choose, times real time. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
export type Speed = (typeof SPEEDS)[number];
/** With idle skipping no pause lasts longer than this, recorded milliseconds. */
const IDLE_MS = 1000;

export interface Clock {
  /** Milliseconds into the recording. */
  readonly at: number;
  readonly durationMs: number;
  readonly playing: boolean;
  readonly speed: Speed;
  readonly skipIdle: boolean;
}

export type Turn =
  | { readonly kind: 'play' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'seek'; readonly to: number }
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'speed'; readonly to: Speed }
  | { readonly kind: 'faster'; readonly by: 1 | -1 }
  | { readonly kind: 'skipIdle'; readonly on: boolean }
  /** `elapsed` real milliseconds went by; `before` and `next` are the times of the events around now, where they are known. */
  | { readonly kind: 'tick'; readonly elapsed: number; readonly before: number | null; readonly next: number | null };

export const startClock = (durationMs: number, at = 0): Clock => ({
  at: clamp(at, durationMs),
  durationMs,
  playing: false,
  speed: 1,
  skipIdle: true,
});

const clamp = (at: number, durationMs: number): number =>
  Math.min(Math.max(0, Number.isFinite(at) ? at : 0), durationMs);

/** The clock after a turn. At its end it stops; playing from there begins at the beginning. */
export function turn(clock: Clock, by: Turn): Clock {
  switch (by.kind) {
    case 'play':
      return clock.playing ? clock : { ...clock, playing: true, at: clock.at >= clock.durationMs ? 0 : clock.at };
    case 'pause':
      return { ...clock, playing: false };
    case 'toggle':
      return turn(clock, { kind: clock.playing ? 'pause' : 'play' });
    case 'seek':
      return { ...clock, at: clamp(by.to, clock.durationMs) };
    case 'move':
      return turn(clock, { kind: 'seek', to: clock.at + by.by });
    case 'speed':
      return { ...clock, speed: by.to };
    case 'faster': {
      const at = SPEEDS.indexOf(clock.speed);
      return { ...clock, speed: SPEEDS[at + by.by] ?? clock.speed };
    }
    case 'skipIdle':
      return { ...clock, skipIdle: by.on };
    case 'tick':
      return tick(clock, by);
  }
}

function tick(clock: Clock, by: Extract<Turn, { kind: 'tick' }>): Clock {
  if (!clock.playing) return clock;
  let at = clock.at + by.elapsed * clock.speed;
  if (clock.skipIdle) {
    const idleFrom = (by.before ?? 0) + IDLE_MS;
    const idleTo = by.next ?? clock.durationMs;
    if (idleTo > idleFrom && at >= idleFrom && at < idleTo) at = idleTo;
  }
  if (at < clock.durationMs) return { ...clock, at };
  return { ...clock, at: clock.durationMs, playing: false };
}

/** mm:ss, and h:mm:ss from an hour on. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

// A recording being watched: the clock, the painter and the search, joined into one store that the player draws.
import { proxy } from 'valtio/vanilla';
import type { RecordingSegment, RecordingSummary } from '../../contract/recordings.ts';
import { type Clock, startClock, type Turn, turn } from './clock.ts';
import { createLoader } from './loader.ts';
import { type Canvas, createPainter } from './painter.ts';
import { findInRecording, HITS_MOST, type Hit } from './search.ts';

/** A page that was hidden must not jump by the time it slept, milliseconds. */
const FRAME_MOST_MS = 250;
/** While more than this waits to be drawn the clock waits too, bytes. */
const BEHIND_BYTES = 500 * 1000;

export interface PlaybackState {
  clock: Clock;
  /** A segment is being fetched. */
  loading: boolean;
  /** A segment could not be fetched: what the gateway said. */
  error: string;
  search: {
    text: string;
    running: boolean;
    done: number;
    of: number;
    hits: readonly Hit[];
    current: number;
    cut: boolean;
  };
}

/** Real time, frame by frame; answers how to stop. */
export type Frames = (run: (now: number) => void) => () => void;

export const animationFrames: Frames = run => {
  let asked = requestAnimationFrame(function again(now) {
    asked = requestAnimationFrame(again);
    run(now);
  });
  return () => cancelAnimationFrame(asked);
};

/** Opens a recording on a canvas. Dispose stops its frames and its search. */
export function openPlayback(given: {
  readonly summary: RecordingSummary;
  readonly fetchSegment: (index: number) => Promise<RecordingSegment>;
  readonly canvas: Canvas;
  /** The moment to wait at, milliseconds; null: it plays from its beginning. */
  readonly at: number | null;
  readonly frames: Frames;
  /** The text that the recording was found by, and what goes to the recording before (-1) or after this in which it also stands. */
  readonly text?: string | undefined;
  readonly beyond?: ((by: 1 | -1) => void) | undefined;
}) {
  let { summary } = given;
  const loader = createLoader(summary, given.fetchSegment);
  const painter = createPainter(loader, given.canvas);
  const state = proxy<PlaybackState>({
    clock: startClock(summary.durationMs, given.at ?? 0),
    loading: true,
    error: '',
    search: {
      text: given.text ?? '',
      running: given.text !== undefined,
      done: 0,
      of: 0,
      hits: [],
      current: -1,
      cut: false,
    },
  });
  let searchAbort = new AbortController();
  let last: number | null = null;
  let closed = false;

  /** What is asked for in vain here is asked for again, and then told, when its turn comes. */
  function prefetch(): void {
    const next = painter.index() + 1;
    if (next < loader.count && !loader.ready(next)) loader.load(next).catch(() => {});
  }

  async function show(ms: number): Promise<void> {
    if (painter.showNow(ms)) {
      state.loading = false;
      prefetch();
      return;
    }
    state.loading = true;
    try {
      if (!(await painter.show(ms)) || closed) return;
      state.error = '';
      state.loading = false;
      prefetch();
    } catch (error) {
      if (closed) return;
      state.error = error instanceof Error ? error.message : 'The recording could not be read';
      state.loading = false;
      state.clock = turn(state.clock, { kind: 'pause' });
    }
  }

  function apply(by: Turn): void {
    const before = state.clock;
    state.clock = turn(before, by);
    if (state.clock.at !== before.at || state.error !== '') void show(state.clock.at);
  }

  const stopFrames = given.frames(now => {
    const elapsed = Math.min(FRAME_MOST_MS, last === null ? 0 : now - last);
    last = now;
    if (!state.clock.playing || state.loading || painter.behind() > BEHIND_BYTES) return;
    const { before, next } = painter.around();
    const following = summary.keyframes[painter.index() + 1]?.ms ?? null;
    apply({ kind: 'tick', elapsed, before, next: next ?? following });
  });

  const { search } = state;
  function goToHit(index: number): void {
    const hit = search.hits[index];
    if (!hit) return;
    search.current = index;
    apply({ kind: 'pause' });
    apply({ kind: 'seek', to: hit.ms });
  }

  return {
    state,
    apply,
    /** Paints the first moment, and plays on unless that moment was asked for; resolves when it is on the canvas. */
    async begin(): Promise<void> {
      await show(state.clock.at);
      await painter.flush();
      if (closed) return;
      if (given.text) await this.find(given.text);
      else if (given.at === null) apply({ kind: 'play' });
    },
    /** Searches what was printed; '' ends the search. */
    async find(text: string): Promise<void> {
      searchAbort.abort();
      const mine = new AbortController();
      searchAbort = mine;
      Object.assign(search, {
        text,
        running: text !== '',
        done: 0,
        of: loader.count,
        hits: [],
        current: -1,
        cut: false,
      });
      if (text === '') return;
      try {
        const hits = await findInRecording(
          loader,
          text,
          {
            progress(done, of, found) {
              if (!mine.signal.aborted) Object.assign(search, { done, of, hits: [...found] });
            },
          },
          mine.signal,
        );
        if (mine.signal.aborted) return;
        Object.assign(search, { running: false, hits: [...hits], cut: hits.length >= HITS_MOST });
        const after = hits.findIndex(hit => hit.ms >= state.clock.at);
        goToHit(after < 0 ? 0 : after);
      } catch (error) {
        if (mine.signal.aborted) return;
        search.running = false;
        state.error = error instanceof Error ? error.message : 'The recording could not be read';
      }
    },
    /** One picture on, or back, and waits there. */
    frame(by: 1 | -1): void {
      const here = painter.index();
      const edge = by > 0 ? summary.keyframes[here + 1]?.ms : (summary.keyframes[here]?.ms ?? 0) - 1;
      const to = painter.beside(by) ?? edge;
      apply({ kind: 'pause' });
      if (to !== undefined) apply({ kind: 'seek', to });
    },
    /** Bytes that were written to the canvas and are not drawn yet. */
    behind: painter.behind,
    /** The session has gone on: what it printed since is there; whoever was at the end stays there. */
    extend(grown: RecordingSummary): void {
      const wasAtEnd = state.clock.at >= state.clock.durationMs;
      summary = grown;
      loader.extend(grown);
      state.clock = { ...state.clock, durationMs: grown.durationMs };
      if (wasAtEnd) apply({ kind: 'seek', to: grown.durationMs });
    },
    stopSearching(): void {
      searchAbort.abort();
      search.running = false;
    },
    /** So many hits on, or back; behind the ends `beyond`, and without that round to the other end. */
    step(by: number): void {
      const { length } = search.hits;
      const to = search.current + by;
      if (given.beyond && search.text === given.text && !search.running && (to < 0 || to >= length))
        given.beyond(to < 0 ? -1 : 1);
      else if (length > 0) goToHit(((to % length) + length) % length);
    },
    dispose(): void {
      closed = true;
      searchAbort.abort();
      stopFrames();
    },
  };
}
export type Playback = ReturnType<typeof openPlayback>;

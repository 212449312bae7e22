// Brings a terminal to a moment of a recording: forward by what was printed since, anywhere else from the key frame before it.
import type { Loader } from './loader.ts';
import { countUntil, type Segment } from './segment.ts';

/** What is painted on; xterm, or its headless twin in tests. */
export interface Canvas {
  write(output: string | Uint8Array, done?: () => void): void;
  resize(cols: number, rows: number): void;
}

/** A resize takes its turn among the writes: xterm draws those later, and would draw them in the new size. */
const resizeInTurn = (canvas: Canvas, cols: number, rows: number): void =>
  canvas.write('', () => canvas.resize(cols, rows));

/** RIS, the full reset, sent in order with output; CAN first ends a sequence that was cut short. */
const RESET = '\x18\x1bc';

export interface Around {
  /** Times of the events before and after the moment painted; null where there is none in this segment. */
  readonly before: number | null;
  readonly next: number | null;
}

/** Paints moments; a later wish overtakes an earlier one that still waits for its segment. */
export function createPainter(loader: Loader, canvas: Canvas) {
  let segment: Segment | null = null;
  /** Events of the segment that are on the canvas. */
  let applied = 0;
  let latest = 0;
  let outstanding = 0;

  function write(output: string | Uint8Array): void {
    outstanding += output.length;
    canvas.write(output, () => {
      outstanding -= output.length;
    });
  }

  function begin(next: Segment): void {
    segment = next;
    applied = 0;
    write(RESET);
    resizeInTurn(canvas, next.cols, next.rows);
    write(next.screen);
  }

  /** Writes what happened up to a count, neighbouring prints as one piece. */
  function forward(from: Segment, until: number): void {
    let begun: { from: number; to: number } | null = null;
    const flush = (): void => {
      if (begun && begun.to > begun.from) write(from.bytes.subarray(begun.from, begun.to));
      begun = null;
    };
    for (; applied < until; applied += 1) {
      const event = from.events[applied];
      if (!event) break;
      if (event.kind === 'print')
        begun = { from: (begun as { from: number } | null)?.from ?? event.from, to: event.to };
      else {
        flush();
        resizeInTurn(canvas, event.cols, event.rows);
      }
    }
    flush();
  }

  function paintIn(here: Segment, ms: number): void {
    const until = countUntil(here.events, ms);
    if (segment !== here || until < applied) begin(here);
    forward(here, until);
  }

  return {
    /** Brings the canvas to `ms`. False: a later wish came first, and nothing was painted for this one. */
    async show(ms: number): Promise<boolean> {
      const mine = ++latest;
      const index = loader.indexAt(ms);
      const here = loader.ready(index) ?? (await loader.load(index));
      if (mine !== latest) return false;
      paintIn(here, ms);
      return true;
    },
    /** The same at once, when what it needs is here. */
    showNow(ms: number): boolean {
      const here = loader.ready(loader.indexAt(ms));
      if (!here) return false;
      latest += 1;
      paintIn(here, ms);
      return true;
    },
    around(): Around {
      const events = segment?.events ?? [];
      return { before: events[applied - 1]?.ms ?? segment?.ms ?? null, next: events[applied]?.ms ?? null };
    },
    /** When the picture before the one painted was made, or the one after it; null: in another segment. */
    beside(by: 1 | -1): number | null {
      const events = segment?.events ?? [];
      const now = events[applied - 1]?.ms ?? segment?.ms ?? 0;
      const found = by > 0 ? events[applied] : events.slice(0, applied).findLast(event => event.ms < now);
      return found?.ms ?? null;
    },
    /** The segment on the canvas. */
    index: (): number => segment?.index ?? -1,
    /** Bytes written and not yet drawn. */
    behind: (): number => outstanding,
    /** Resolves when all that was written is on the canvas. */
    flush: (): Promise<void> => new Promise(done => canvas.write('', () => done())),
  };
}

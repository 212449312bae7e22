// Memberships that end by the clock: nobody writes anything then, so somebody has to say that lists give less from this moment on.
import type { Changes } from '../../ports/changes.ts';
import type { AccessLists } from '../../store/store.ts';

/** Longest wait for an end that is known: clocks are set anew, and timers hold no month. */
const LOOK_EVERY_MS = 60_000;

export interface EndsParts {
  readonly lists: Pick<AccessLists, 'nextEnd'>;
  readonly changes: Pick<Changes, 'emit' | 'subscribe'>;
  readonly report: (problem: string, error: unknown) => void;
  readonly clock: () => Date;
}
export interface EndsWatch {
  /** Tells of what has ended since it looked last. */
  look(): Promise<void>;
  dispose(): void;
}

/** Rights are asked anew at every call whatever this does; it is for consoles, which show what they were answered. One read in a look. */
export function watchEnds({ lists, changes, report, clock }: EndsParts): EndsWatch {
  let looked = clock();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let looking = Promise.resolve();

  async function once(): Promise<void> {
    clearTimeout(timer);
    const now = clock();
    let next = await lists.nextEnd(looked);
    if (next !== null && next <= now) {
      changes.emit({ kind: 'accessListsChanged' });
      next = await lists.nextEnd(now);
    }
    looked = now;
    if (isOver) return;
    const left = next === null ? LOOK_EVERY_MS : next.getTime() - clock().getTime();
    timer = setTimeout(() => void look(), Math.min(Math.max(left, 0), LOOK_EVERY_MS)).unref();
  }
  function look(): Promise<void> {
    looking = looking.then(once).catch((error: unknown) => {
      report('memberships that have ended could not be looked for', error);
      if (!isOver) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
    });
    return looking;
  }
  // Memberships come and change on every gateway of the store: the next end may be another one now.
  const unsubscribe = changes.subscribe(({ kind }) => {
    if (kind === 'accessListsChanged') void look();
  });
  void look();
  return {
    look,
    dispose() {
      isOver = true;
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

// Long lists draw only the rows near what is seen, so that scrolling stays smooth however many are loaded.
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Shorter lists are drawn whole: find in page and screen readers then have everything. */
const WHOLE_MOST_ROWS = 150;
/** Rows drawn beyond each edge of the view, and the step by which the drawn part moves. */
const AROUND_ROWS = 20;
const STEP_ROWS = 10;
/** The rows that follow are asked for when this many are left below the drawn part. */
const AHEAD_ROWS = 80;

export interface Drawn {
  /** Index of the first row drawn, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Height of one row, pixels; 0 while everything is drawn. */
  readonly height: number;
}

/** Which rows to draw for a view that begins `above` pixels below the first row's top. */
export function drawnAt(above: number, seen: number, height: number, rows: number): Drawn {
  const step = (index: number): number => Math.floor(index / STEP_ROWS) * STEP_ROWS;
  const first = Math.min(rows, Math.max(0, step(Math.floor(above / height) - AROUND_ROWS)));
  return {
    first,
    end: Math.min(rows, Math.max(first, step(Math.ceil((above + seen) / height)) + AROUND_ROWS + STEP_ROWS)),
    height,
  };
}

/** The nearest part around an element that scrolls up and down. */
function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.documentElement;
}

/** The rows to draw. `see` brings a row into the drawn part and into view, at once. */
export function useDrawn(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: number,
  onEnd: (() => void) | undefined,
) {
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, end: WHOLE_MOST_ROWS, height: 0 });
  const look = useCallback((): Drawn | null => {
    const section = body.current;
    const row = section?.querySelector<HTMLElement>('tr[aria-rowindex]');
    if (!section || !row) return null;
    const scroller = scrollerOf(section);
    const above = scroller.getBoundingClientRect().top - section.getBoundingClientRect().top;
    return drawnAt(above, scroller.clientHeight, row.offsetHeight || 1, rows);
  }, [body, rows]);

  const isLong = rows > WHOLE_MOST_ROWS;
  useEffect(() => {
    const section = body.current;
    if (!section || (!isLong && onEnd === undefined)) return;
    const scroller = scrollerOf(section);
    let asked = 0;
    const heard = (): void => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        const next = look();
        if (next === null) return;
        setDrawn(now => (now.first === next.first && now.end === next.end && now.height === next.height ? now : next));
        if (next.end >= rows - AHEAD_ROWS) onEnd?.();
      });
    };
    heard();
    scroller.addEventListener('scroll', heard, { passive: true });
    window.addEventListener('resize', heard);
    return () => {
      cancelAnimationFrame(asked);
      scroller.removeEventListener('scroll', heard);
      window.removeEventListener('resize', heard);
    };
  }, [body, isLong, look, rows, onEnd]);

  const see = useCallback(
    (index: number): Drawn | null => {
      const section = body.current;
      const now = look();
      if (!section || now === null) return null;
      const scroller = scrollerOf(section);
      const top = scroller.scrollTop + section.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop = top + index * now.height - scroller.clientHeight / 2;
      return look();
    },
    [body, look],
  );
  const shown: Drawn =
    isLong && drawn.height > 0 ? drawn : { first: 0, end: isLong ? WHOLE_MOST_ROWS : rows, height: 0 };
  return { drawn: shown, setDrawn, see };
}

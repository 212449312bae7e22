// Long lists draw only the rows near what is seen, so that scrolling stays smooth however many there are.
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Shorter lists are drawn whole: find in page and screen readers then have everything. */
const WHOLE_MOST_ROWS = 150;
/** Rows drawn beyond each edge of the view, and the step by which the drawn part moves. */
const AROUND_ROWS = 8;
const STEP_ROWS = 4;
/** Rows drawn at least while nobody knows yet how tall the view is. */
const FIRST_ROWS = 60;
/** Drawn rows that are out of view at most. */
export const OVER_ROWS = 2 * (AROUND_ROWS + STEP_ROWS);
/** Browsers end a page after 17 million pixels or more: a list has no more rows than fit, the tallest rows, a phone's, being 100 px. */
export const HELD_MOST_ROWS = 160_000;

/** What a scrolled list of more rows than are held says: where it ends, and what brings the others. `above`: rows that stand before its own. */
export function scrollEnd(total: number, above: number): string | undefined {
  const most = HELD_MOST_ROWS - above;
  return total <= most ? undefined : `Scrolling ends at row ${most}; / narrows the list`;
}

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

/** Where the rows stand: the part that scrolls, how far the first row's top is above its top, and the height of a row (`--row`), pixels. */
function standing(section: HTMLElement) {
  const scroller = scrollerOf(section);
  const above = scroller.getBoundingClientRect().top - section.getBoundingClientRect().top;
  return { scroller, above, height: Number.parseFloat(getComputedStyle(section).getPropertyValue('--row')) || 32 };
}

/**
 * The rows to draw. `see` brings a row into the drawn part and into the view's middle, or to its top, at once. `onView` hears which rows
 * are seen: the first, and the one after the last.
 */
export function useDrawn(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: number,
  onView: ((first: number, end: number) => void) | undefined,
) {
  const [drawn, setDrawn] = useState<Drawn>({ first: 0, end: FIRST_ROWS, height: 0 });
  const isLong = rows > WHOLE_MOST_ROWS;
  useEffect(() => {
    const section = body.current;
    if (!section || (!isLong && onView === undefined)) return;
    const { scroller } = standing(section);
    let asked = 0;
    const heard = (): void => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        const { above, height } = standing(section);
        const seen = scroller.clientHeight;
        const next = drawnAt(above, seen, height, rows);
        setDrawn(now => (now.first === next.first && now.end === next.end && now.height === next.height ? now : next));
        onView?.(Math.max(0, Math.floor(above / height)), Math.min(rows, Math.ceil((above + seen) / height)));
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
  }, [body, isLong, rows, onView]);

  const see = useCallback(
    (index: number, where: 'top' | 'middle' = 'middle'): Drawn | null => {
      const section = body.current;
      if (!section) return null;
      const { scroller, above, height } = standing(section);
      scroller.scrollTop += index * height - above - (where === 'top' ? 0 : scroller.clientHeight / 2);
      return drawnAt(standing(section).above, scroller.clientHeight, height, rows);
    },
    [body, rows],
  );
  const shown: Drawn = isLong ? drawn : { first: 0, end: rows, height: 0 };
  return { drawn: shown, setDrawn, see, isLong };
}

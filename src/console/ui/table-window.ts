// Long lists draw only the rows near what is seen, so that scrolling stays smooth however many there are. Ours and not
// @tanstack/react-virtual, because rows are of one height that the style sheet names: where a row stands is a multiplication, nothing is
// measured or positioned, the cursor's row stays drawn far outside of the view, and a row stays a plain table row for screen readers.
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Shorter lists are drawn whole: find in page and screen readers then have everything. */
const WHOLE_MOST_ROWS = 150;
/** Rows drawn beyond each edge of the view, and the step by which the drawn part moves. */
const AROUND_ROWS = 8;
const STEP_ROWS = 4;
/** Rows drawn at least while nobody knows yet how tall the view is. */
const FIRST_ROWS = 60;
/** RowWindow rows that are out of view at most. */
export const OVER_ROWS = 2 * (AROUND_ROWS + STEP_ROWS);
/** Browsers end a page after 17 million pixels or more: a list has no more rows than fit, the tallest rows, a phone's, being 100 px. */
export const HELD_MOST_ROWS = 160_000;

/** What finds the rows of a scrolled list that are not drawn, and where it ends when not all can be held. `above`: rows that stand before its own. */
export function scrollNote(total: number, above: number): string | undefined {
  const most = HELD_MOST_ROWS - above;
  if (total > most) return `Scrolling ends at row ${most}; / narrows the list`;
  return total + above > WHOLE_MOST_ROWS ? '/ searches all of them' : undefined;
}

/** Shows the first row of the list in an element, wherever it was scrolled to. */
export function scrollToTop(place: Element | null): void {
  const body = place?.querySelector('tbody');
  if (body != null) scrollerOf(body).scrollTop = 0;
}

export interface RowWindow {
  /** Index of the first row drawn, and the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Height of one row, pixels; 0 while everything is drawn. */
  readonly height: number;
}

/** Which rows to draw for a view that begins `above` pixels below the first row's top. */
export function windowAt(above: number, seen: number, height: number, rows: number): RowWindow {
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

/**
 * Where the rows stand: the part that scrolls, how far the first row's top is above what is seen of it, how much is seen below the headings,
 * and the height of a row (`--row`), pixels.
 */
function measureView(section: HTMLElement) {
  const scroller = scrollerOf(section);
  const head = section.previousElementSibling?.getBoundingClientRect().height ?? 0;
  const above = scroller.getBoundingClientRect().top + head - section.getBoundingClientRect().top;
  const height = Number.parseFloat(getComputedStyle(section).getPropertyValue('--row')) || 32;
  return { scroller, above, seen: scroller.clientHeight - head, height };
}

/**
 * The rows to draw. `see` brings a row into the drawn part and into the view's middle, or to its top, at once. `onView` hears which rows
 * are seen: the first, and the one after the last.
 */
export function useRowWindow(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: number,
  onView: ((first: number, end: number) => void) | undefined,
) {
  const [drawn, setDrawn] = useState<RowWindow>({ first: 0, end: FIRST_ROWS, height: 0 });
  const isLong = rows > WHOLE_MOST_ROWS;
  useEffect(() => {
    const section = body.current;
    if (!section || (!isLong && onView === undefined)) return;
    let asked = 0;
    const measure = (): void => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        const { above, seen, height: named } = measureView(section);
        // A list that is drawn whole may have rows of other heights, as on a phone.
        const height = isLong ? named : section.getBoundingClientRect().height / Math.max(1, rows) || named;
        const next = windowAt(above, seen, height, rows);
        setDrawn(now => (now.first === next.first && now.end === next.end && now.height === next.height ? now : next));
        onView?.(Math.max(0, Math.floor(above / height)), Math.min(rows, Math.ceil((above + seen) / height)));
      });
    };
    // Whatever scrolls it: in a window that has become narrow, that is the page.
    const scrolled = ({ target }: Event): void => {
      if (target instanceof Node && target.contains(section)) measure();
    };
    measure();
    document.addEventListener('scroll', scrolled, { passive: true, capture: true });
    window.addEventListener('resize', measure);
    const sizes = new ResizeObserver(measure);
    sizes.observe(scrollerOf(section));
    return () => {
      cancelAnimationFrame(asked);
      document.removeEventListener('scroll', scrolled, { capture: true });
      window.removeEventListener('resize', measure);
      sizes.disconnect();
    };
  }, [body, isLong, rows, onView]);

  const see = useCallback(
    (index: number, where: 'top' | 'middle' = 'middle'): RowWindow | null => {
      const section = body.current;
      if (!section) return null;
      const { scroller, above, seen, height } = measureView(section);
      scroller.scrollTop += index * height - above - (where === 'top' ? 0 : seen / 2);
      return windowAt(measureView(section).above, seen, height, rows);
    },
    [body, rows],
  );
  const shown: RowWindow = isLong ? drawn : { first: 0, end: rows, height: 0 };
  return { drawn: shown, setDrawn, see, isLong };
}

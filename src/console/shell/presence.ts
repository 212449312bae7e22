// The browser behind the signed-in console: what a person does, and when the page has time. Apart from browser.ts, which the sign-in page loads too.
import { activityEvents } from './inactivity.ts';

/** Hears what a person does, also inside a terminal, before anyone can stop the event. */
export function onActivity(listener: () => void): () => void {
  for (const name of activityEvents) addEventListener(name, listener, { capture: true, passive: true });
  return () => {
    for (const name of activityEvents) removeEventListener(name, listener, { capture: true });
  };
}

/** Runs once what has just been drawn is on screen; the answer calls it off. */
export function afterFrame(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  // The browser asks before it paints, and goes on after it.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** When a list or form must have been painted by now although the page never became quiet. */
const PAINTED_BY_MS = 2000;

/** Runs once when the page stands and the browser has nothing more urgent; the answer calls it off. */
export function onPainted(run: () => void): () => void {
  let idle = 0;
  const timer = setTimeout(() => {
    // Safari has no requestIdleCallback.
    if (typeof requestIdleCallback === 'function') idle = requestIdleCallback(run, { timeout: PAINTED_BY_MS });
    else run();
  }, AFTER_FRAME_MS);
  return () => {
    clearTimeout(timer);
    if (idle !== 0) cancelIdleCallback(idle);
  };
}
/** The first second belongs to the page itself, whose list is answered after its frame is drawn: nothing is fetched ahead meanwhile, ms. */
const AFTER_FRAME_MS = 1500;

/** Opens something once the page is painted; the answer closes it, or calls it off. */
export function whenPainted(open: () => () => void): () => void {
  let close = onPainted(() => {
    close = open();
  });
  return () => close();
}

/** Resolves once no dialog is open. Whatever closes one gives the focus back, and is noticed by that. */
export async function untilNoDialog(): Promise<void> {
  while (document.querySelector('dialog[open]') !== null)
    await new Promise(done => document.addEventListener('focusin', done, { once: true }));
}

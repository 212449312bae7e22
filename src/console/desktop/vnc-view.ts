// A VNC desktop: noVNC in an element, over the gateway's stream, which asks it for no password.
import RFB from '@novnc/novnc';
import { isHeldKey, keysymOf } from './keysyms.ts';
import type { OpenDesktopView, Quality } from './view.ts';

/** noVNC's scales of 0 to 9: how fine pictures are, and how much is done to make them small. */
const drawing: Readonly<Record<Quality, { readonly fine: number; readonly packed: number }>> = {
  low: { fine: 2, packed: 6 },
  medium: { fine: 6, packed: 2 },
  high: { fine: 9, packed: 1 },
};

/** Opens it; what it shows is gone when it is disposed. */
export const openVncView: OpenDesktopView = (into, { stream, isFitted, quality, on }) => {
  let follows = isFitted;
  // Made before noVNC's own, so that it is told first: a screen that nobody sees keeps its size.
  const seen = new ResizeObserver(() => {
    rfb.resizeSession = follows && into.clientWidth > 0;
  });
  const rfb = new RFB(into, location.origin.replace(/^http/, 'ws') + stream, { shared: true });
  const draw = (how: Quality): void => {
    rfb.qualityLevel = drawing[how].fine;
    rfb.compressionLevel = drawing[how].packed;
  };
  const follow = (fitted: boolean): void => {
    follows = fitted;
    rfb.scaleViewport = fitted;
    rfb.resizeSession = fitted && into.clientWidth > 0;
  };
  rfb.focusOnClick = true;
  follow(isFitted);
  draw(quality);
  let isDisposed = false;
  rfb.addEventListener('connect', () => on.shown());
  seen.observe(into);
  /** Keys that are held with others, by their places: whoever takes the focus away hears of their end, and the desktop would not. */
  const held = new Set<string>();
  const gone = new AbortController();
  const hear = { signal: gone.signal, capture: true };
  into.addEventListener('keydown', ({ code }) => isHeldKey(code) && held.add(code), hear);
  into.addEventListener('keyup', ({ code }) => held.delete(code), hear);
  into.addEventListener(
    'focusout',
    () => {
      for (const code of held) rfb.sendKey(keysymOf(code), code, false);
      held.clear();
    },
    hear,
  );
  rfb.addEventListener('clipboard', ({ detail }) => on.copied(detail.text));
  rfb.addEventListener('disconnect', ({ detail }) => {
    if (!isDisposed) on.broken(detail.clean ? '' : 'The picture of the desktop broke off.');
  });
  return {
    focus: () => rfb.focus({ preventScroll: true }),
    press(keys) {
      for (const code of keys) rfb.sendKey(keysymOf(code), code, true);
      for (const code of keys.toReversed()) rfb.sendKey(keysymOf(code), code, false);
    },
    copyTo: text => rfb.clipboardPasteFrom(text),
    fit: follow,
    draw,
    dispose() {
      isDisposed = true;
      seen.disconnect();
      gone.abort();
      rfb.disconnect();
    },
  };
};

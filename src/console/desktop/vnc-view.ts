// A VNC desktop: noVNC in an element, over the gateway's stream, which asks it for no password.
import RFB from '@novnc/novnc';
import { keysymOf } from './keysyms.ts';
import type { OpenDesktopView, Quality } from './view.ts';

/** noVNC's scales of 0 to 9: how fine pictures are, and how much is done to make them small. */
const drawing: Readonly<Record<Quality, { readonly fine: number; readonly packed: number }>> = {
  low: { fine: 2, packed: 6 },
  medium: { fine: 6, packed: 2 },
  high: { fine: 9, packed: 1 },
};

/** Opens it; what it shows is gone when it is disposed. */
export const openVncView: OpenDesktopView = (into, { stream, isFitted, quality, on }) => {
  const rfb = new RFB(into, location.origin.replace(/^http/, 'ws') + stream, { shared: true });
  const draw = (how: Quality): void => {
    rfb.qualityLevel = drawing[how].fine;
    rfb.compressionLevel = drawing[how].packed;
  };
  const follow = (fitted: boolean): void => {
    rfb.scaleViewport = fitted;
    rfb.resizeSession = fitted;
  };
  rfb.focusOnClick = true;
  follow(isFitted);
  draw(quality);
  let isDisposed = false;
  rfb.addEventListener('connect', () => on.shown());
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
      rfb.disconnect();
    },
  };
};

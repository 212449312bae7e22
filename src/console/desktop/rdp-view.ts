// An RDP desktop: IronRDP on a canvas, over the gateway's stream, which writes login and password itself.

import styles from './rdp.module.css';
import {
  act,
  clipboardOf,
  connectEngine,
  doing,
  endSession,
  loadEngine,
  onEngineDeath,
  type RdpSession,
  textIn,
} from './rdp-engine.ts';
import { scancodeOf } from './scancodes.ts';
import type { OpenDesktopView } from './view.ts';

/** The room may change on for a while; the screen follows once, ms. */
const RESIZE_MS = 300;
const SIDE_LEAST_PIXELS = 200;

/** Opens it; what it shows is gone when it is disposed. */
export const openRdpView: OpenDesktopView = (into, { stream, sid, isFitted, on }) => {
  const canvas = document.createElement('canvas');
  canvas.className = styles.screen ?? '';
  canvas.tabIndex = 0;
  into.append(canvas);
  let session: RdpSession | null = null;
  let isDisposed = false;
  let follows = isFitted;
  let text = '';
  const gone = new AbortController();
  const { signal } = gone;
  const broken = (why: string): void => {
    if (!isDisposed) on.broken(why);
  };
  const undie = onEngineDeath(() => {
    session = null;
    if (!isDisposed) on.died();
  });
  const say = (...doings: Parameters<typeof act> extends [unknown, ...infer Doings] ? Doings : never): void => {
    if (session) act(session, ...doings);
  };

  function hearKeys(): void {
    const key = (event: KeyboardEvent): void => {
      const code = scancodeOf(event.code);
      if (code === undefined || event.defaultPrevented) return;
      event.preventDefault();
      say(event.type === 'keydown' ? doing.keyPressed(code) : doing.keyReleased(code));
    };
    canvas.addEventListener('keydown', key, { signal });
    canvas.addEventListener('keyup', key, { signal });
    canvas.addEventListener('blur', () => session?.releaseAllInputs(), { signal });
  }
  function hearPointer(): void {
    const move = (event: PointerEvent | WheelEvent) => {
      const shown = canvas.getBoundingClientRect();
      const at = (from: number, start: number, length: number, all: number): number =>
        Math.max(0, Math.min(all - 1, Math.round(((from - start) * all) / length)));
      return doing.mouseMove(
        at(event.clientX, shown.left, shown.width, canvas.width),
        at(event.clientY, shown.top, shown.height, canvas.height),
      );
    };
    canvas.addEventListener('pointermove', event => say(move(event)), { signal });
    canvas.addEventListener(
      'pointerdown',
      event => {
        canvas.focus({ preventScroll: true });
        canvas.setPointerCapture(event.pointerId);
        say(move(event), doing.mouseButtonPressed(event.button));
        event.preventDefault();
      },
      { signal },
    );
    canvas.addEventListener('pointerup', event => say(move(event), doing.mouseButtonReleased(event.button)), {
      signal,
    });
    canvas.addEventListener(
      'wheel',
      event => {
        const isUpright = event.deltaY !== 0;
        event.preventDefault();
        say(move(event), doing.wheelRotations(isUpright, -(isUpright ? event.deltaY : event.deltaX), event.deltaMode));
      },
      { signal, passive: false },
    );
  }

  let wanted = roomOf(into);
  let waiting = 0;
  const follow = new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = window.setTimeout(fill, RESIZE_MS);
  });
  /** The screen becomes as large as the room; a desktop that does not follow is scaled. */
  function fill(): void {
    const room = roomOf(into);
    if (!session || !follows || (room.width === wanted.width && room.height === wanted.height)) return;
    wanted = room;
    session.resize(room.width, room.height);
  }
  const fitTo = (fitted: boolean): void => {
    follows = fitted;
    canvas.dataset.fitted = String(fitted);
    fill();
  };
  fitTo(isFitted);

  async function open(): Promise<void> {
    await loadEngine();
    if (isDisposed) return;
    const address = location.origin.replace(/^http/, 'ws') + stream;
    const begun = await connectEngine({
      ...{ canvas, address, token: sid, size: wanted },
      copied(clipboard) {
        const copied = textIn(clipboard);
        if (copied === undefined || copied === text) return;
        text = copied;
        on.copied(copied);
      },
      wanted: () => void session?.onClipboardPaste(clipboardOf(text)),
    });
    if (isDisposed) return endSession(begun);
    session = begun;
    hearKeys();
    hearPointer();
    follow.observe(into);
    on.shown();
    try {
      await begun.run();
      broken('');
    } finally {
      session = null;
    }
  }
  open().catch((error: unknown) => broken(wordsOf(error)));

  return {
    focus: () => canvas.focus({ preventScroll: true }),
    press(keys) {
      const codes = keys.flatMap(key => scancodeOf(key) ?? []);
      say(...codes.map(code => doing.keyPressed(code)), ...codes.toReversed().map(code => doing.keyReleased(code)));
    },
    copyTo(given) {
      text = given;
      void session?.onClipboardPaste(clipboardOf(given));
    },
    fit: fitTo,
    // RDP says itself how it draws.
    draw: () => undefined,
    dispose() {
      isDisposed = true;
      clearTimeout(waiting);
      follow.disconnect();
      gone.abort();
      undie();
      if (session) endSession(session);
      canvas.remove();
    },
  };
};

/** Servers draw in strips of four pixels. */
function roomOf(into: HTMLElement): { readonly width: number; readonly height: number } {
  const side = (pixels: number): number => Math.max(SIDE_LEAST_PIXELS, Math.min(8192, Math.floor(pixels)));
  return { width: side(into.clientWidth) & ~3, height: side(into.clientHeight) & ~1 };
}

/** A log-off is told as a failure, too. */
function wordsOf(error: unknown): string {
  const said =
    typeof error === 'object' && error !== null && 'backtrace' in error && typeof error.backtrace === 'function'
      ? String(error.backtrace())
      : String(error);
  if (/disconnect provider ultimatum/i.test(said)) return '';
  return 'The picture of the desktop broke off.';
}

// An RDP desktop: IronRDP on a canvas, over the gateway's stream, which writes login and password itself.

import { createPaced } from '../../contract/paced.ts';
import { RDP_RESIZE_APART_MS } from '../../contract/rdp-socket.ts';
import styles from './rdp.module.css';
import type { Doing, RdpSession } from './rdp-core.ts';
import { type Engine, endSession, loadEngine, onEngineDeath } from './rdp-engine.ts';
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
  /** While it is connected: the session, and the engine that runs it. */
  let running: { readonly session: RdpSession; readonly engine: Engine } | null = null;
  let isDisposed = false;
  let follows = isFitted;
  let text = '';
  const gone = new AbortController();
  const { signal } = gone;
  const broken = (why: string): void => {
    if (!isDisposed) on.broken(why);
  };
  const undie = onEngineDeath(() => {
    running = null;
    if (!isDisposed) on.died();
  });
  const say = (doings: (doing: Engine['doing']) => readonly Doing[]): void => {
    if (running) running.engine.act(running.session, doings(running.engine.doing));
  };
  const paste = (given: string): void => void running?.session.onClipboardPaste(running.engine.clipboardOf(given));

  function hearKeys(): void {
    const key = (event: KeyboardEvent): void => {
      const code = scancodeOf(event.code);
      if (code === undefined || event.defaultPrevented) return;
      event.preventDefault();
      say(doing => [event.type === 'keydown' ? doing.keyPressed(code) : doing.keyReleased(code)]);
    };
    canvas.addEventListener('keydown', key, { signal });
    canvas.addEventListener('keyup', key, { signal });
    canvas.addEventListener('blur', () => running?.session.releaseAllInputs(), { signal });
  }
  function hearPointer(): void {
    const move = (doing: Engine['doing'], event: PointerEvent | WheelEvent): Doing => {
      const shown = canvas.getBoundingClientRect();
      const at = (from: number, start: number, length: number, all: number): number =>
        Math.max(0, Math.min(all - 1, Math.round(((from - start) * all) / length)));
      return doing.mouseMove(
        at(event.clientX, shown.left, shown.width, canvas.width),
        at(event.clientY, shown.top, shown.height, canvas.height),
      );
    };
    canvas.addEventListener('pointermove', event => say(doing => [move(doing, event)]), { signal });
    canvas.addEventListener(
      'pointerdown',
      event => {
        canvas.focus({ preventScroll: true });
        canvas.setPointerCapture(event.pointerId);
        say(doing => [move(doing, event), doing.mouseButtonPressed(event.button)]);
        event.preventDefault();
      },
      { signal },
    );
    canvas.addEventListener(
      'pointerup',
      event => say(doing => [move(doing, event), doing.mouseButtonReleased(event.button)]),
      { signal },
    );
    canvas.addEventListener(
      'wheel',
      event => {
        const isUpright = event.deltaY !== 0;
        event.preventDefault();
        const turned = -(isUpright ? event.deltaY : event.deltaX);
        say(doing => [move(doing, event), doing.wheelRotations(isUpright, turned, event.deltaMode)]);
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
  const resize = createPaced(
    RDP_RESIZE_APART_MS,
    () => {
      const room = roomOf(into);
      if (!running || (room.width === wanted.width && room.height === wanted.height)) return;
      wanted = room;
      running.session.resize(room.width, room.height);
    },
    later,
  );
  /** The screen becomes as large as the room, while there is one; a desktop that does not follow is scaled. */
  function fill(): void {
    if (follows && into.clientWidth > 0) resize.run();
  }
  const fitTo = (fitted: boolean): void => {
    follows = fitted;
    canvas.dataset.fitted = String(fitted);
    fill();
  };
  fitTo(isFitted);

  async function open(): Promise<void> {
    const engine = await loadEngine();
    if (isDisposed) return;
    const address = location.origin.replace(/^http/, 'ws') + stream;
    const begun = await engine.connectEngine({
      ...{ canvas, address, token: sid, size: wanted },
      copied(clipboard) {
        const copied = engine.textIn(clipboard);
        if (copied === undefined || copied === text) return;
        text = copied;
        on.copied(copied);
      },
      wanted: () => paste(text),
    });
    if (isDisposed) return endSession(begun);
    running = { session: begun, engine };
    hearKeys();
    hearPointer();
    follow.observe(into);
    on.shown();
    try {
      await begun.run();
      broken('');
    } finally {
      running = null;
    }
  }
  open().catch((error: unknown) => broken(wordsOf(error)));

  return {
    focus: () => canvas.focus({ preventScroll: true }),
    press(keys) {
      const codes = keys.flatMap(key => scancodeOf(key) ?? []);
      say(doing => [
        ...codes.map(code => doing.keyPressed(code)),
        ...codes.toReversed().map(code => doing.keyReleased(code)),
      ]);
    },
    copyTo(given) {
      text = given;
      paste(given);
    },
    fit: fitTo,
    // RDP says itself how it draws.
    draw: () => undefined,
    dispose() {
      isDisposed = true;
      clearTimeout(waiting);
      resize.stop();
      follow.disconnect();
      gone.abort();
      undie();
      if (running) endSession(running.session);
      canvas.remove();
    },
  };
};

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

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

// The terminal that a recording is shown on: its size is the recording's, and the font is what makes it fit.
import { createDisposables, type Disposable } from '../terminal/disposables.ts';
import { openScreen } from '../terminal/screen.ts';
import type { Canvas } from './painter.ts';

/** Font sizes between which the picture is made to fit, CSS pixels. */
const FONT = { least: 8, most: 18, first: 14 } as const;
/** What the frame around the recorded size takes of the room, both sides together, CSS pixels (player.module.css). */
const FRAME_PIXELS = 14;
/** Lines to scroll back in a player: what a key frame restores. */
const SCROLLBACK_LINES = 1000;

/** Puts a read-only terminal into an element and keeps it as large as fits. */
export function openRecordingScreen(
  into: HTMLElement,
  size: { readonly cols: number; readonly rows: number },
  onSize: (cols: number, rows: number) => void,
): Disposable & { readonly canvas: Canvas; scroll(screens: number): void } {
  const disposables = createDisposables();
  const screen = disposables.add(
    openScreen(into, {
      scrollback: SCROLLBACK_LINES,
      fontSize: FONT.first,
      cols: size.cols,
      rows: size.rows,
      readOnly: true,
      onMeasured: fitFont,
    }),
  );
  const { xterm } = screen;
  // Every key is the player's or the console's.
  xterm.attachCustomKeyEventHandler(() => false);
  screen.setShown(true);

  function fitFont(): void {
    const screenElement = into.querySelector<HTMLElement>('.xterm-screen');
    const font = xterm.options.fontSize ?? FONT.first;
    if (!screenElement || screenElement.offsetWidth === 0 || into.clientWidth === 0) return;
    const scale = Math.min(
      (into.clientWidth - FRAME_PIXELS) / screenElement.offsetWidth,
      (into.clientHeight - FRAME_PIXELS) / screenElement.offsetHeight,
    );
    const wanted = Math.max(FONT.least, Math.min(FONT.most, Math.floor(font * scale)));
    if (wanted !== font) xterm.options.fontSize = wanted;
  }
  const resized = new ResizeObserver(fitFont);
  resized.observe(into);
  disposables.defer(() => resized.disconnect());
  disposables.add(
    xterm.onResize(({ cols, rows }) => {
      requestAnimationFrame(fitFont);
      onSize(cols, rows);
    }),
  );

  return {
    canvas: { write: (output, done) => xterm.write(output, done), resize: (cols, rows) => xterm.resize(cols, rows) },
    scroll: screens => xterm.scrollPages(screens),
    dispose: disposables.dispose,
  };
}

// A screen in memory: its pixels, and which parts of it were drawn since somebody looked.
import { pngOf } from './png.ts';

/** What was drawn is counted in squares of this side, pixels. */
const TILE = 64;
const tileOf = (pixel: number): number => Math.floor(pixel / TILE);
/** Largest side of a screen that is held, pixels, and most pixels of one. */
const SIDE_MOST = 8192;
const PIXELS_MOST = 8192 * 4096;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Throws Error for a size that no screen has. */
export function createFrame() {
  let width = 0;
  let height = 0;
  let pixels = new Uint8Array(0);
  let across = 0;
  let dirty = new Uint8Array(0);

  function mark({ left, top, width: wide, height: high }: Rectangle): void {
    const [right, bottom] = [Math.min(width, left + wide), Math.min(height, top + high)];
    if (right <= left || bottom <= top) return;
    for (let row = tileOf(top); row <= tileOf(bottom - 1); row += 1)
      dirty.fill(1, row * across + tileOf(left), row * across + tileOf(right - 1) + 1);
  }
  return {
    get width() {
      return width;
    },
    get height() {
      return height;
    },
    /** Red, green, blue and one more byte each. */
    get pixels() {
      return pixels;
    },
    /** What is outside of it is forgotten, what is new is black. */
    resize(wide: number, high: number): void {
      if (wide === width && high === height) return;
      if (wide < 1 || high < 1 || wide > SIDE_MOST || high > SIDE_MOST || wide * high > PIXELS_MOST)
        throw new Error(`there is no screen of ${wide}x${high}`);
      const next = new Uint8Array(wide * high * 4);
      for (let y = 0; y < Math.min(height, high); y += 1)
        next.set(pixels.subarray(y * width * 4, (y * width + Math.min(width, wide)) * 4), y * wide * 4);
      [width, height, pixels] = [wide, high, next];
      across = Math.ceil(wide / TILE);
      dirty = new Uint8Array(across * Math.ceil(high / TILE)).fill(1);
    },
    mark,
    /** Puts pixels of four bytes there; what lies outside is left out. */
    put({ left, top, width: wide, height: high }: Rectangle, given: Uint8Array): void {
      const shown = Math.min(wide, width - left);
      if (shown <= 0) return;
      for (let y = 0; y < high && top + y < height; y += 1)
        pixels.set(given.subarray(y * wide * 4, (y * wide + shown) * 4), ((top + y) * width + left) * 4);
      mark({ left, top, width: wide, height: high });
    },
    /** Copies a part to another place; they may overlap. */
    copy(from: { readonly left: number; readonly top: number }, to: Rectangle): void {
      const wide = Math.min(to.width, width - to.left, width - from.left);
      const high = Math.min(to.height, height - to.top, height - from.top);
      for (let row = 0; row < high; row += 1) {
        const y = from.top < to.top ? high - 1 - row : row;
        const at = ((from.top + y) * width + from.left) * 4;
        pixels.copyWithin(((to.top + y) * width + to.left) * 4, at, at + Math.max(0, wide) * 4);
      }
      mark(to);
    },
    /** What was drawn since this was asked last, in few rectangles that do not overlap. */
    takeDrawn(): readonly Rectangle[] {
      const found: Rectangle[] = [];
      const rows = across === 0 ? 0 : dirty.length / across;
      for (let row = 0; row < rows; row += 1)
        for (let column = 0; column < across; column += 1) {
          if (dirty[row * across + column] !== 1) continue;
          let end = column;
          while (end < across && dirty[row * across + end] === 1) end += 1;
          let below = row;
          while (below < rows && isFull(below, column, end)) {
            dirty.fill(0, below * across + column, below * across + end);
            below += 1;
          }
          const [left, top] = [column * TILE, row * TILE];
          found.push({
            ...{ left, top },
            width: Math.min(width, end * TILE) - left,
            height: Math.min(height, below * TILE) - top,
          });
        }
      return found;
    },
    /** A part of it, or all, as PNG. */
    png: ({ left, top, width: wide, height: high }: Rectangle = { left: 0, top: 0, width, height }): Buffer =>
      pngOf(pixels, { width: wide, height: high, stride: width * 4, at: (top * width + left) * 4 }),
    /** All of it, made smaller, as PNG. */
    thumbnail(most: number): Buffer {
      const scale = Math.max(1, width / most, height / most);
      const [wide, high] = [Math.max(1, Math.floor(width / scale)), Math.max(1, Math.floor(height / scale))];
      return pngOf(shrunk(pixels, width, scale, wide, high), { width: wide, height: high, stride: wide * 4 });
    },
  };
  function isFull(row: number, from: number, to: number): boolean {
    for (let column = from; column < to; column += 1) if (dirty[row * across + column] !== 1) return false;
    return true;
  }
}
export type Frame = ReturnType<typeof createFrame>;

/** Each pixel is the mean of four of those that it stands for. */
function shrunk(pixels: Uint8Array, width: number, scale: number, wide: number, high: number): Uint8Array {
  const small = new Uint8Array(wide * high * 4);
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1)
      for (let part = 0; part < 3; part += 1) {
        let sum = 0;
        for (const [dx, dy] of [
          [0.25, 0.25],
          [0.75, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ] as const)
          sum += pixels[(Math.floor((y + dy) * scale) * width + Math.floor((x + dx) * scale)) * 4 + part] ?? 0;
        small[(y * wide + x) * 4 + part] = sum >> 2;
      }
  return small;
}

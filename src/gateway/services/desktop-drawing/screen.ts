// What draws a desktop in the gateway, whatever its protocol.
import type { Frame } from './frame.ts';

/** What a player is fed to come to a moment without all that was before. */
export interface Restored {
  /** What the server said first. */
  readonly before: Buffer;
  /** The picture, as PNG, that then is on the screen. */
  readonly png: Buffer;
  /** What it had said of what comes next. */
  readonly after: Buffer;
}
/** What a person does: coordinates in pixels of the screen, keys by their places. */
export type Doing =
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  /** 0 left, 1 middle, 2 right. */
  | { readonly kind: 'button'; readonly button: number; readonly isDown: boolean }
  | { readonly kind: 'key'; readonly scancode: number; readonly isDown: boolean }
  /** Positive is up, or to the left. */
  | { readonly kind: 'wheel'; readonly isVertical: boolean; readonly delta: number }
  | { readonly kind: 'clipboard'; readonly text: string }
  /** Another size is wanted; a desktop that keeps its own does nothing. */
  | { readonly kind: 'resize'; readonly width: number; readonly height: number };

/** Told what a server sends. It throws, or rejects, where that cannot be drawn. */
export interface Screen {
  readonly frame: Frame;
  /** Resolves when what was sent is drawn. */
  feed(bytes: Buffer): Promise<void> | void;
  /** Of what was recorded alone; null where nothing was begun yet. */
  restored(): Restored | null;
}
/** One that is looked at and worked on now. */
export interface LiveScreen extends Screen {
  act(doing: Doing): void;
}
/** What it says to its server, and text that was copied there. */
export interface LiveSinks {
  send(bytes: Buffer): void;
  copied(text: string): void;
}

// What shows a desktop and takes its keys, whatever the protocol.

/** Keys that a browser or its machine keeps for itself, as they are sent from the bar. */
export const specialKeys: Readonly<Record<string, readonly string[]>> = {
  'Ctrl+Alt+Delete': ['ControlLeft', 'AltLeft', 'Delete'],
  Windows: ['MetaLeft'],
  'Alt+Tab': ['AltLeft', 'Tab'],
  Escape: ['Escape'],
  'Print Screen': ['PrintScreen'],
};

/** How fine the picture is: by what the line bears. */
export const qualities = ['low', 'medium', 'high'] as const;
export type Quality = (typeof qualities)[number];

export interface DesktopView {
  focus(): void;
  /** Presses keys in order, by their places on a keyboard, and lets go of them in the other. */
  press(keys: readonly string[]): void;
  /** Puts text into the desktop's clipboard. */
  copyTo(text: string): void;
  /** Shown as large as there is room, or pixel by pixel; where the desktop follows the room there is no difference. */
  fit(isFitted: boolean): void;
  draw(quality: Quality): void;
  dispose(): void;
}
interface DesktopViewEvents {
  /** The first picture is there. */
  shown(): void;
  /** Text was copied on the desktop. */
  copied(text: string): void;
  /** It has broken: what is to be said, where it is known. The session is to begin anew. */
  broken(why: string): void;
  /** What draws it has died: it is to be built anew. */
  died(): void;
}
interface DesktopViewOptions {
  /** Address of the stream, path and query. */
  readonly stream: string;
  readonly sid: string;
  readonly isFitted: boolean;
  readonly quality: Quality;
  readonly on: DesktopViewEvents;
}
export type OpenDesktopView = (into: HTMLElement, options: DesktopViewOptions) => DesktopView;

// A moment of a desktop's recording, as it was drawn after its session: what a replay begins with in the place of all that was before.
import * as z from 'zod/mini';
import { type DesktopMoment, desktopMoment } from '../../contract/desktop-sessions.ts';

export interface Moment {
  readonly width: number;
  readonly height: number;
  /** What the server said first, and what it had said of what comes next. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Red, green, blue and one more byte each. */
  readonly pixels: Uint8ClampedArray;
}
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));

/** `screen`: of a part of a recording. Throws what is wrong with it. */
export const readMoment = async (screen: string): Promise<Moment> =>
  momentOf(z.parse(desktopMoment, JSON.parse(screen)));

/** As it is drawn. Throws where the browser cannot read its picture. */
export async function momentOf({ width, height, before, png, after }: DesktopMoment): Promise<Moment> {
  const picture = await createImageBitmap(new Blob([bytesOf(png)], { type: 'image/png' }), {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  });
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no room for the picture');
  context.drawImage(picture, 0, 0);
  picture.close();
  const { data: pixels } = context.getImageData(0, 0, width, height);
  return { width, height, before: bytesOf(before), after: bytesOf(after), pixels };
}

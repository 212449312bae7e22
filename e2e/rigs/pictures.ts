// Pictures of desktops, compared.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';

/** What the page shows of the desktop, as its canvas has it, to a PNG file. */
export async function pictureOf(page: Page, file: string): Promise<void> {
  const url = await page
    .locator('[data-desktop] canvas')
    .last()
    .evaluate(canvas => (canvas as unknown as { toDataURL(type: string): string }).toDataURL('image/png'));
  await writeFile(file, Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}
/** Whether a picture has one colour alone. */
export const isPlain = (file: string): boolean =>
  execFileSync('convert', [file, '-format', '%k', 'info:'], { encoding: 'utf8' }) === '1';
/** Share of pixels that differ by more than a lossy picture does. */
export function difference(one: string, other: string): number {
  const pixels = execFileSync(
    'convert',
    [
      one,
      other,
      '-compose',
      'difference',
      '-composite',
      '-colorspace',
      'gray',
      '-threshold',
      '15%',
      '-format',
      '%[fx:mean]',
      'info:',
    ],
    { encoding: 'utf8' },
  );
  return Number(pixels);
}

// Who watches the desktop in front, for the status line.
import { proxy } from 'valtio';

/** `text` is empty where nobody does. */
export const desktopCompany = proxy({ text: '' });

/** `watched by ann, bob`; '' for nobody. */
export const watchedText = (by: readonly string[]): string => (by.length === 0 ? '' : `watched by ${by.join(', ')}`);

/** Says it of these people, by name. */
export function showWatchers(by: readonly string[]): void {
  desktopCompany.text = watchedText(by);
}

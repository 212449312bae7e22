// Who watches the desktop on screen, for its bar and the status line.
import { proxy } from 'valtio';

/** `text` is empty where nobody does. */
export const desktopCompany = proxy({ text: '' });

/** Says it of these people, by name. */
export function showWatchers(by: readonly string[]): void {
  desktopCompany.text = by.length === 0 ? '' : `watched by ${by.join(', ')}`;
}

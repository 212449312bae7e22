// The theme as this browser knows it, before and without the gateway.
import { type KeyValueStorage, PREFERENCES_KEY, readJson, THEME_KEY } from './storage.ts';

/** Numbers of the themes on the wire (src/contract/preferences.ts THEMES); not imported, so that the sign-in page loads no schemas of preferences. */
type ThemeNumber = 1 | 2;

/** From the kept preferences, else the deprecated theme key, else light (specification section 4). */
export function storedTheme(storage: KeyValueStorage): ThemeNumber {
  const stored = readJson(storage, PREFERENCES_KEY);
  const theme = typeof stored === 'object' && stored !== null && 'theme' in stored ? stored.theme : undefined;
  return theme === 1 || theme === 2 ? theme : (deprecatedTheme(storage) ?? 1);
}

/** The theme as older versions kept it: a bare word, in quotes or not. */
export function deprecatedTheme(storage: KeyValueStorage): ThemeNumber | undefined {
  const word = storage.getItem(THEME_KEY)?.replaceAll('"', '');
  return word === 'dark' ? 2 : word === 'light' ? 1 : undefined;
}

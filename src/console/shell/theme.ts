// Light or dark, or the one custom theme: dark with an orange brand (specification sections 3 and 4).
import type { Preferences } from '../../contract/preferences.ts';

/** THEMES.dark of src/contract/preferences.ts. */
const DARK: Preferences['theme'] = 2;

export type Theme = 'light' | 'dark';

/** What is shown: a configured custom theme overrides what the person chose. */
export function themeOf(
  chosen: Preferences['theme'],
  customTheme: string,
): { theme: Theme; brand: 'orange' | undefined } {
  if (customTheme !== '') return { theme: 'dark', brand: 'orange' };
  return { theme: chosen === DARK ? 'dark' : 'light', brand: undefined };
}

/** Puts the theme on the page. */
export function showTheme(root: HTMLElement, chosen: Preferences['theme'], customTheme: string): void {
  const { theme, brand } = themeOf(chosen, customTheme);
  root.dataset.theme = theme;
  if (brand === undefined) delete root.dataset.brand;
  else root.dataset.brand = brand;
}

/** The user menu's words; hidden for a custom theme. */
export function themeToggle(theme: Theme): { title: string; next: Theme } {
  return theme === 'dark'
    ? { title: 'Switch to Light Theme', next: 'light' }
    : { title: 'Switch to Dark Theme', next: 'dark' };
}

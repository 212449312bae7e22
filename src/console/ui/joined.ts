/** Class names side by side; absent ones are left out. */
export const joined = (...names: readonly (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

// The words of a tab.

/**
 * What stands on each tab. A login that all have in common is left out where there are several, and of tabs that would be alike each has a
 * number: `db-1`, `db-1 (2)`. The whole title stands in the tab's tooltip.
 */
export function tabTexts(
  tabs: readonly { readonly key: string; readonly title: string }[],
): ReadonlyMap<string, string> {
  const parts = tabs.map(({ key, title }) => {
    const at = title.indexOf('@');
    return { key, title, login: at < 0 ? '' : title.slice(0, at), host: title.slice(at + 1) };
  });
  const isShared = parts.length > 1 && parts.every(({ login }) => login !== '' && login === parts[0]?.login);
  const seen = new Map<string, number>();
  return new Map(
    parts.map(({ key, title, host }) => {
      const text = isShared ? host : title;
      const count = (seen.get(text) ?? 0) + 1;
      seen.set(text, count);
      return [key, count === 1 ? text : `${text} (${count})`];
    }),
  );
}

/** Characters of a tab's end that are always shown: hosts differ at both ends, so a long one is cut in its middle. */
const TAIL_CHARACTERS = 10;

/** The two parts of a text between which it is cut where there is no room; short ones are never cut. */
export function middleCut(text: string): readonly [head: string, tail: string] {
  return text.length <= 2 * TAIL_CHARACTERS
    ? [text, '']
    : [text.slice(0, -TAIL_CHARACTERS), text.slice(-TAIL_CHARACTERS)];
}

/** How good a round trip feels: up to 150 ms good, up to 400 ms slow, beyond that bad. */
export function latencyGrade(latency: { readonly ws: number; readonly ssh: number }): 'good' | 'slow' | 'bad' {
  const total = latency.ws + latency.ssh;
  return total <= 150 ? 'good' : total <= 400 ? 'slow' : 'bad';
}

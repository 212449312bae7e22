// Which links of a terminal are opened.

/** The address to open, or null: output can hold any link, and only web addresses are harmless to follow. */
export function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : null;
}

// Where a browser that was handed over goes on in its application.

/** Whole, so that no path can be read as another host; the first page for what leads elsewhere. */
export function ownAddress(path: string, origin: string): string {
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return `${origin}/`;
  const to = new URL(path, origin);
  return to.origin === origin ? to.href : `${origin}/`;
}

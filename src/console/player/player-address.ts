// Whether an address of the player can be played, before anything is fetched.

/** What is wrong with the query of a player's address, or null. */
export function refusedQuery(recordingType: string | null, durationMs: string | null): string | null {
  if (recordingType !== null && ['ssh', 'k8s', 'db', 'app'].includes(recordingType)) return null;
  if (recordingType !== 'desktop')
    return `Invalid or missing recordingType${recordingType ? ` "${recordingType}"` : ''}: it is ssh, k8s, db, app or desktop.`;
  if (!/^[1-9]\d{0,11}$/.test(durationMs ?? ''))
    return 'Invalid or missing durationMs: a desktop recording needs its length, a positive whole number.';
  return null;
}

/** The moment an address asks for, milliseconds; null when it asks for none. */
export function momentOf(t: string | null): number | null {
  const seconds = Number(t);
  return t !== null && t !== '' && Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) : null;
}

/** The moment is never later than what was on screen, and less than a frame before it. */
export const linkTo = (address: string, ms: number): string => {
  const url = new URL(address);
  url.searchParams.set('t', String(Math.floor(ms) / 1000));
  return url.href;
};

/** What was wrong, in the words of the system where it has some: fetch hides them behind "fetch failed". */
export function fetchReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Whether a file operation failed because there is no such file. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** For a folder that is not there: it holds nothing. Throws everything else. */
export function noneIfAbsent(error: unknown): readonly never[] {
  if (isAbsent(error)) return [];
  throw error;
}

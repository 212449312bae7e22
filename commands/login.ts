// OS logins as people type them.

/** What is wrong with an OS login, or undefined. The gateway decides whether a role allows it. */
export function wrongLogin(typed: string): string | undefined {
  if (typed === '') return 'A login has at least one character';
  if (typed.length > 255) return 'A login has at most 255 characters';
  return /[\s@\p{Cc}]/u.test(typed) ? 'A login has no spaces and no @' : undefined;
}

// What a program calls itself, in words.

/** By what their names hold, the more particular first. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/postern/i, 'Command line'],
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];
const found = (named: typeof programs, text: string): string | undefined => named.find(([is]) => is.test(text))?.[1];

/** "Firefox on Linux, 192.0.2.7"; what a program that nobody knows calls itself is shown as it is, its first 60 characters. */
export function programText({
  userAgent,
  remoteAddr,
}: {
  readonly userAgent: string;
  /** With its port, or without; '' where it is not known. */
  readonly remoteAddr: string;
}): string {
  const program = found(programs, userAgent) ?? (userAgent.slice(0, 60) || 'Unknown program');
  const system = found(systems, userAgent);
  const address = remoteAddr.replace(/^(\[.*\]|[^:]*):\d+$/, '$1');
  return `${program}${system === undefined ? '' : ` on ${system}`}${address === '' ? '' : `, ${address}`}`;
}

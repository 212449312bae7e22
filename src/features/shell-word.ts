/** A word of a shell command line, quoted where a shell would read it otherwise. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

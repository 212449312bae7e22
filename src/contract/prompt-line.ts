// Reads a line of a terminal as a shell's prompt with a command behind it, where the shell itself marks neither.

/** Characters of a prompt; a longer line is output. */
const PROMPT_MOST = 160;
/** Longest command that is kept, characters. */
export const COMMAND_MOST = 1024;

/**
 * Prompts as shells are set up with: `root@db-3:~# `, `[ann@web /srv]$ `, `ann@mac ~ % `, `bash-5.2$ `, `$ `, `❯ `. Only at the beginning of
 * a line, and only with a login and host, a shell's name or a sign alone in front: lines of output must not look like one.
 */
const prompt =
  /^(?:\([^()\s]{1,40}\) )?(?:\[?[\w.+-]{1,40}@[\w.-]{1,80}[^$#%❯➜»]{0,80}?[$#%❯➜»>]\]?|(?:ba|da|z|k|a|fi)?sh(?:-[\d.]{1,10})?[$#%>]|[$#❯➜»])(?: +|$)/u;

/** What stands behind the prompt of a line, '' when nothing does yet; null: the line has none. A guess, and told as one. */
export function commandOf(line: string): string | null {
  const found = prompt.exec(line.slice(0, PROMPT_MOST))?.[0];
  return found === undefined ? null : line.slice(found.length).trim().slice(0, COMMAND_MOST);
}

// Commands by which clients copy files: what runs on the server for `scp -O` and rsync. What they print are the files themselves.
import type { FilesDeed } from '../../ports/files.ts';

/**
 * Null for any other command, and for one in which a shell would find more than a program and its words: what is recorded is decided by it, so
 * nothing may hide behind a copy.
 */
export function transferOf(line: string): Pick<FilesDeed, 'action' | 'path'> | null {
  const words = wordsOf(line);
  if (!words) return null;
  const [program = '', ...rest] = words;
  const path = rest.at(-1) ?? '';
  if (program === 'scp') {
    // Those of a copy's far end alone: others make it run programs of its own.
    const options = rest.filter(word => word.startsWith('-') && word !== '--' && word !== '-');
    if (!options.every(option => /^-[dfpqrtv]+$/.test(option))) return null;
    if (options.some(option => option.includes('t'))) return { action: 'upload', path };
    return options.some(option => option.includes('f')) ? { action: 'download', path } : null;
  }
  if (program === 'rsync' && rest[0] === '--server' && !rest.some(word => /^--(daemon|config)/.test(word)))
    return { action: rest.includes('--sender') ? 'download' : 'upload', path };
  return null;
}

/** The words of a line as a shell would make them; null where it would do more than that. */
function wordsOf(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let rest = line.trim(); rest !== ''; ) {
    const quoted = /^'([^']*)'|^"([^"$`\\]*)"|^\\(.)|^([\w@%+=:,./~^{}*?[\]-]+)|^(\s+)/u.exec(rest);
    if (!quoted || /[\n\r]/.test(quoted[0])) return null;
    rest = rest.slice(quoted[0].length);
    if (quoted[5] === undefined) word = (word ?? '') + (quoted[1] ?? quoted[2] ?? quoted[3] ?? quoted[4] ?? '');
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

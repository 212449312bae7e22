// What a person pressed, read from the bytes that a terminal sends.
import { StringDecoder } from 'node:string_decoder';

export type Key =
  /** Characters to be inserted as they are; `isPaste`: new lines among them do nothing. */
  | { readonly kind: 'text'; readonly text: string; readonly isPaste: boolean }
  /** A key with a name, such as `up`, `ctrl+r` or `alt+b`. */
  | { readonly kind: 'key'; readonly name: string };

/** Of one paste, as much is read, characters. */
const PASTE_MOST_CHARACTERS = 1024 * 1024;
const PASTE_END = '\x1b[201~';
const sequences: Readonly<Record<string, string>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[3~': 'delete',
  '[4~': 'end',
  '[5~': 'pageup',
  '[6~': 'pagedown',
  '[1;5C': 'alt+f',
  '[1;5D': 'alt+b',
  '[1;3C': 'alt+f',
  '[1;3D': 'alt+b',
};
const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
};

/** Takes pieces as they come; a sequence that is cut waits for its rest. */
export function createKeys(): (bytes: Uint8Array) => readonly Key[] {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let pasted: string | null = null;

  return bytes => {
    let text = rest + decoder.write(Buffer.from(bytes));
    rest = '';
    const keys: Key[] = [];
    for (let at = 0; at < text.length; ) {
      if (pasted !== null) {
        pasted += text.slice(at);
        const end = pasted.indexOf(PASTE_END);
        if (end < 0) {
          // What nobody could type is not kept while its end is awaited.
          if (pasted.length > PASTE_MOST_CHARACTERS) pasted = pasted.slice(-PASTE_MOST_CHARACTERS);
          break;
        }
        keys.push({ kind: 'text', text: pasted.slice(0, end).replaceAll(/\r\n?/g, '\n'), isPaste: true });
        text = pasted.slice(end + PASTE_END.length);
        pasted = null;
        at = 0;
        continue;
      }
      const plain = /[^\x00-\x1f\x7f]+/y;
      plain.lastIndex = at;
      const run = plain.exec(text)?.[0];
      if (run !== undefined) {
        keys.push({ kind: 'text', text: run, isPaste: false });
        at += run.length;
        continue;
      }
      const character = text[at] ?? '';
      if (character !== '\x1b') {
        keys.push({
          kind: 'key',
          name: controls[character] ?? `ctrl+${String.fromCharCode(character.charCodeAt(0) + 0x60)}`,
        });
        at += 1;
        continue;
      }
      const found = /\x1b(?:(\[[0-9;]*[@-~]|O[A-Z])|([^[O\x00-\x1f])?)/y;
      found.lastIndex = at;
      const [whole = '', sequence, letter] = found.exec(text) ?? [];
      if (sequence === undefined && /^\x1b(?:\[[0-9;]*|O)$/.test(text.slice(at))) {
        rest = text.slice(at);
        break;
      }
      at += Math.max(1, whole.length);
      if (sequence === '[200~') pasted = '';
      else if (sequence !== undefined) keys.push({ kind: 'key', name: sequences[sequence] ?? 'unknown' });
      else
        keys.push({
          kind: 'key',
          name: letter === undefined ? 'escape' : `alt+${letter === '\x7f' ? 'backspace' : letter}`,
        });
    }
    return keys;
  };
}

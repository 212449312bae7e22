// What a terminal has been told to be, up to some place in the output: screen, cursor keys, paste and mouse modes, colours, region.
import type { SequenceKind } from '../scan.ts';

/** DEC modes that are brought back, with what a reset terminal has. Alternate screens (47, 1047, 1049) are held apart. */
const DEC_DEFAULTS: ReadonlyMap<number, boolean> = new Map([
  [1, false],
  [5, false],
  [6, false],
  [7, true],
  [9, false],
  [25, true],
  [45, false],
  [66, false],
  [1000, false],
  [1002, false],
  [1003, false],
  [1004, false],
  [1005, false],
  [1006, false],
  [1015, false],
  [1016, false],
  [2004, false],
]);
/** Colour sequences kept since the last reset: more than a program ever stacks. */
const PENS_MOST = 24;
const PEN_MOST_BYTES = 64;
/** Longest title brought back, bytes. */
const TITLE_MOST = 256;

export interface Modes {
  /** Takes a sequence in (scan.ts). */
  apply(kind: SequenceKind, body: string): void;
  /** Output that makes a reset terminal be as this one; '' when it is as reset. One character per byte. */
  prelude(): string;
}

export function createModes(): Modes {
  let dec = new Map<number, boolean>();
  let alternate = 0;
  let insert = false;
  let keypad = false;
  let charsets = new Map<string, string>();
  let shiftedOut = false;
  let region = '';
  let cursor = '';
  let title = '';
  let pens: string[] = [];

  function softReset(): void {
    for (const mode of [1, 6, 7, 25, 66]) dec.delete(mode);
    insert = false;
    keypad = false;
    charsets = new Map();
    shiftedOut = false;
    region = '';
    pens = [];
  }
  function reset(): void {
    softReset();
    dec = new Map();
    alternate = 0;
    cursor = '';
  }
  function setDec(mode: number, on: boolean): void {
    if (mode === 47 || mode === 1047 || mode === 1049) alternate = on ? mode : 0;
    else if (DEC_DEFAULTS.has(mode)) dec.set(mode, on);
    // One mouse protocol at a time: any of them off means none (xterm).
    if (!on && (mode === 1000 || mode === 1002 || mode === 1003 || mode === 9))
      for (const one of [9, 1000, 1002, 1003]) dec.delete(one);
  }
  function csi(body: string): void {
    const final = body.at(-1);
    if (final === 'h' || final === 'l') {
      const isDec = body.startsWith('?');
      for (const part of body.slice(isDec ? 1 : 0, -1).split(';')) {
        if (isDec) setDec(Number(part), final === 'h');
        else if (part === '4') insert = final === 'h';
      }
    } else if (final === 'm' && body.length <= PEN_MOST_BYTES && /^[\d;:]*m$/.test(body)) {
      if (/^(?:0?;)*0?m$/.test(body)) pens = [];
      else if (/^0?;/.test(body)) pens = [body];
      else pens = [...pens.filter(one => one !== body), body].slice(-PENS_MOST);
    } else if (final === 'r' && /^[\d;]{0,11}r$/.test(body)) region = body === 'r' ? '' : body;
    else if (/^\d? q$/.test(body)) cursor = body;
    else if (body === '!p') softReset();
  }
  return {
    apply(kind, body) {
      if (kind === 'csi') csi(body);
      else if (kind === 'control') shiftedOut = body === '\x0e' || (shiftedOut && body !== '\x0f');
      else if (kind === 'osc') {
        if (/^[02];/.test(body)) title = body.slice(2, 2 + TITLE_MOST);
      } else if (kind === 'esc') {
        if (body === 'c') reset();
        else if (body === '=' || body === '>') keypad = body === '=';
        else if (/^[()*+][0-9A-Z]$/.test(body)) charsets.set(body.slice(0, 1), body.slice(1));
      }
    },
    prelude() {
      let text = alternate ? `\x1b[?${alternate}h` : '';
      for (const [mode, on] of dec)
        if (on !== DEC_DEFAULTS.get(mode) && mode !== 6) text += `\x1b[?${mode}${on ? 'h' : 'l'}`;
      if (insert) text += '\x1b[4h';
      if (keypad) text += '\x1b=';
      for (const [level, set] of charsets) if (set !== 'B') text += `\x1b${level}${set}`;
      if (shiftedOut) text += '\x0e';
      if (region) text += `\x1b[${region}`;
      if (dec.get(6)) text += '\x1b[?6h';
      if (cursor) text += `\x1b[${cursor}`;
      for (const pen of pens) text += `\x1b[${pen}`;
      if (title) text += `\x1b]2;${title}\x07`;
      return text;
    },
  };
}

// Which keys run which command: the rows' own keys, and what a person put in their place.
import { alternatives, browserKeeps, type Chord, heardText, parseChord, shellNeeds } from '../../../commands/chords.ts';
import { areApart, type Command } from '../../../commands/command.ts';

/** One chord of one command. */
export interface Binding {
  readonly command: Command;
  readonly chord: Chord;
  /** As it is shown, such as `mod+k`. */
  readonly text: string;
}

export interface Bindings {
  /** Heard by the page, and by a field where no bare key is in it. */
  readonly page: readonly Binding[];
  /** Heard over a terminal: the short list. Everything else goes to the shell. */
  readonly terminal: readonly Binding[];
  /** What was wrong with the person's own keys, one sentence each; those keep their default. */
  readonly problems: readonly string[];
}

/** A person's own chord for the terminal is kept beside the one for the page under this name. */
export const overTerminalKey = (id: string): string => `${id}@terminal`;

const begins = (chord: Chord, of: Chord): boolean => chord.every((stroke, index) => of[index] === stroke);
/** Two chords that cannot both be heard: one is the other, or its beginning. */
export const clash = (a: Chord, b: Chord): boolean => begins(a, b) || begins(b, a);

interface WantedChords {
  readonly command: Command;
  readonly texts: readonly string[];
  readonly defaults: readonly string[];
}

/** Reads one place's keys: rebound ones first, so that a default gives way to a person's choice and not the other way round. */
function place(
  wanted: readonly WantedChords[],
  mac: boolean,
  problems: string[],
  refuse: (chord: Chord) => string | undefined,
): Binding[] {
  const bound: Binding[] = [];
  const isOwn = ({ texts, defaults }: WantedChords): boolean => texts !== defaults;
  const put = (command: Command, text: string, own: boolean): boolean => {
    const chord = parseChord(text, mac);
    const taken =
      chord && bound.find(other => clash(other.chord, chord) && !areApart(other.command.group, command.group));
    const wrong =
      chord === undefined ? 'is not a chord' : (refuse(chord) ?? (taken && `already runs "${taken.command.title}"`));
    if (chord === undefined || wrong !== undefined) {
      if (own) problems.push(`"${text}" for "${command.title}" ${wrong}`);
      return false;
    }
    bound.push({ command, chord, text: heardText(text, mac) });
    return true;
  };
  const fallBack: WantedChords[] = [];
  for (const row of wanted.filter(isOwn)) {
    const taken = row.texts.map(text => put(row.command, text, true));
    if (taken.includes(false)) fallBack.push(row);
  }
  for (const row of [...fallBack, ...wanted.filter(row => !isOwn(row))]) {
    for (const text of row.defaults) {
      if (bound.some(other => other.command === row.command && other.text === text)) continue;
      put(row.command, text, false);
    }
  }
  return bound;
}

/**
 * Every chord that is heard. `own` is the person's choice by command id ('' = none), or by `id@terminal` for the keys over a
 * terminal. A choice that cannot be read, that a browser or a shell needs, or that is taken leaves the default in place.
 */
export function bind(commands: readonly Command[], own: Readonly<Record<string, string>>, mac: boolean): Bindings {
  const problems: string[] = [];
  const wanted = (command: Command, key: string, text: string | undefined): WantedChords => {
    const defaults = alternatives(text);
    const chosen = own[key];
    return { command, defaults, texts: chosen === undefined ? defaults : alternatives(chosen) };
  };
  const kept = (chord: Chord): string | undefined =>
    chord.some(browserKeeps) ? 'is kept by the browser for itself' : undefined;
  const page = place(
    commands.map(row => wanted(row, row.id, row.keys)),
    mac,
    problems,
    kept,
  );
  const terminal = place(
    commands.flatMap(row => [
      ...(row.overTerminal === true ? [wanted(row, row.id, row.keys)] : []),
      wanted(row, overTerminalKey(row.id), row.terminalKeys),
    ]),
    mac,
    problems,
    chord => kept(chord) ?? (shellNeeds(chord) ? 'is needed by the shell in a terminal' : undefined),
  );
  // Command never reaches a shell, so on macOS its chords work over a terminal as they do on a page.
  const command = mac
    ? page.filter(
        ({ chord, command: row }) => row.overTerminal !== true && chord.length === 1 && chord[0]?.includes('meta+'),
      )
    : [];
  return {
    page,
    terminal: [...terminal, ...command.filter(row => !terminal.some(other => clash(other.chord, row.chord)))],
    problems: [...new Set(problems)],
  };
}

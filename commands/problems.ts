// What is wrong with a set of commands as a whole. A bad row never ships: the test of the list expects nothing here.
import { alternatives, browserKeeps, type Chord, parseChord, shellNeeds } from './chords.ts';
import { areApart, type Command } from './command.ts';

/** One chord of one command, in one of the two places keys are heard. */
interface Claim {
  readonly id: string;
  readonly group: Command['group'];
  readonly chord: Chord;
}

/** Sentences, one per problem; empty when all is well. Checked for macOS and for the other systems. */
export function problems(commands: readonly Command[]): string[] {
  const found = [
    ...twice(commands.map(row => row.id)).map(id => `Two commands are called ${id}`),
    ...twice(commands.map(row => row.title)).map(title => `Two commands are titled "${title}"`),
    ...commands.flatMap(rowProblems),
    ...phraseProblems(commands),
    ...[false, true].flatMap(mac => keyProblems(commands, mac)),
  ];
  return [...new Set(found)];
}

function twice(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function rowProblems(row: Command): string[] {
  const args = row.args ?? [];
  const names = args.map(arg => arg.name);
  const optional = args.findIndex(arg => arg.optional === true);
  return [
    ...(/^[a-z][A-Za-z]*\.[a-z][A-Za-z0-9]*$/.test(row.id) ? [] : [`${row.id} is not spelled noun.verb`]),
    ...(args.length > 0 && !row.title.endsWith('…') ? [`${row.id} asks for something, so its title ends with …`] : []),
    ...twice(names).map(name => `${row.id} asks for ${name} twice`),
    ...(optional >= 0 && args.slice(optional).some(arg => arg.optional !== true)
      ? [`${row.id} asks for something needed after something optional`]
      : []),
    ...args
      .filter(arg => arg.optional === true && arg.free === undefined)
      .map(arg => `${row.id} cannot leave out ${arg.name}: only free text can be empty`),
    ...(row.destructive === true && (row.keys ?? row.terminalKeys) !== undefined
      ? [`${row.id} cannot be undone, so no key runs it`]
      : []),
    ...(row.overTerminal === true && row.keys === undefined
      ? [`${row.id} is heard over a terminal but has no keys`]
      : []),
  ];
}

function phraseProblems(commands: readonly Command[]): string[] {
  return commands.flatMap(row => {
    const { phrase } = row;
    if (phrase === undefined) return [];
    const answers = phrase.read(phrase.example);
    if (answers === undefined) return [`${row.id} does not read its own example "${phrase.example}"`];
    const names = new Set((row.args ?? []).map(arg => arg.name));
    return [
      ...Object.keys(answers)
        .filter(name => !names.has(name))
        .map(name => `${row.id} reads ${name}, which it does not ask for`),
      ...commands
        .filter(other => other !== row && other.phrase?.read(phrase.example) !== undefined)
        .map(other => `${other.id} and ${row.id} both read "${phrase.example}"`),
    ];
  });
}

function keyProblems(commands: readonly Command[], mac: boolean): string[] {
  const found: string[] = [];
  const onPage: Claim[] = [];
  const overTerminal: Claim[] = [];
  const claim = ({ id, group }: Command, text: string, into: readonly Claim[][], shell: boolean): void => {
    const chord = parseChord(text, mac);
    if (chord === undefined) {
      found.push(`${id} has keys that cannot be read: "${text}"`);
      return;
    }
    if (chord.some(browserKeeps)) found.push(`${id} wants "${text}", which a browser keeps for itself`);
    if (shell && shellNeeds(chord)) found.push(`${id} wants "${text}" over a terminal, which a shell needs`);
    for (const claims of into) claims.push({ id, group, chord });
  };
  for (const row of commands) {
    for (const text of alternatives(row.keys)) {
      claim(row, text, row.overTerminal === true ? [onPage, overTerminal] : [onPage], row.overTerminal === true);
    }
    for (const text of alternatives(row.terminalKeys)) claim(row, text, [overTerminal], true);
  }
  return [...found, ...clashes(onPage), ...clashes(overTerminal)];
}

/** Two commands want the same keys, or one wants the beginning of the other's. */
function clashes(claims: readonly Claim[]): string[] {
  return claims.flatMap((claim, index) =>
    claims.slice(0, index).flatMap(earlier => {
      const shared = Math.min(earlier.chord.length, claim.chord.length);
      const same = claim.chord.slice(0, shared).join(' ') === earlier.chord.slice(0, shared).join(' ');
      return same && !areApart(claim.group, earlier.group)
        ? [`${claim.id} and ${earlier.id} both want "${claim.chord.slice(0, shared).join(' ')}"`]
        : [];
    }),
  );
}

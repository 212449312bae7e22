// Runs one verb of a signed-in person from its words to its exit status.
import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Cancelled } from '../../../commands/answer.ts';
import type { Facts } from '../../../commands/command.ts';
import { Refused, type Surface, UsageError } from '../verb.ts';
import { resolveAnswers } from './answers.ts';
import { createApi } from './api.ts';
import { factsOf, nobody } from './facts.ts';
import { findCommand } from './find.ts';
import { commandText, listCommands, listText, refusal } from './help.ts';
import { readSession, sessionPath } from './session-file.ts';
import { signInVerb, signOutVerb } from './sign-in.ts';
import { resumeSession, type Session } from './signed.ts';
import { openTerminal } from './terminal.ts';
import { createDoing } from './tools.ts';
import { personHelp } from './verbs.ts';
import { readWords, type Words } from './words.ts';

/** Flags of `do` itself; every other one answers an argument of the command. */
const OWN_FLAGS: ReadonlySet<string> = new Set(['help', 'output', 'to', 'yes', 'session-file']);
const STANDING: ReadonlySet<string> = new Set(['help', 'yes']);

/** `argv` begins with the verb. Answers the exit status. Throws UsageError, Refused, ApiError. */
export async function runPersonVerb(argv: readonly string[], surface: Surface): Promise<number> {
  const [verb = '', ...rest] = argv;
  const words = readWords(rest, STANDING);
  if (words.has('help') && words.plain.length === 0) {
    surface.print(personHelp(verb));
    return 0;
  }
  const path = sessionPath(words.flags.get('session-file'), process.env, homedir());
  if (verb === 'sign-in') await signInVerb(words, path, surface.print);
  else if (verb === 'sign-out') await signOutVerb(words, path, surface.print);
  else return runDo(words, path, surface);
  return 0;
}

async function runDo(words: Words, path: string, surface: Surface): Promise<number> {
  const output = words.flags.get('output') ?? 'table';
  if (output !== 'json' && output !== 'table') throw new UsageError(`--output: "${output}": json or table expected`);
  if (words.plain.length === 0) return listAll(path, output, surface);
  const named = new Map([...words.flags].filter(([name]) => !OWN_FLAGS.has(name)));
  const { command, typed } = findCommand(words.plain, named, nobody('shell'));
  if (words.has('help')) {
    const signed = (await readSession(path)) !== null;
    surface.print(commandText(command, signed ? (await openFacts(path)).facts : null));
    return 0;
  }
  const replies: unknown[] = [];
  const { session, api, facts } = await openFacts(path, reply => void replies.push(reply));
  const refused = refusal(command, facts);
  if (refused !== undefined) throw new Refused(`${command.id}: ${refused}`);
  const yes = words.has('yes');
  if (command.destructive && !yes && surface.ask === null)
    throw new UsageError(`${command.id} cannot be undone, and there is nobody to ask here: give --yes`);
  const doing = createDoing({
    api,
    replies,
    url: session.url,
    output,
    yes,
    to: words.flags.get('to'),
    ask: surface.ask,
    print: surface.print,
  });
  const askLine = surface.ask === null ? null : askForLine;
  const given = await resolveAnswers(typed, { command, facts, tools: doing.tools, askLine });
  try {
    await command.run(given, facts, doing.tools);
  } catch (error) {
    if (error instanceof Cancelled) throw new Refused('nothing was done');
    throw error;
  }
  const wanted = doing.wanted();
  if (wanted === undefined) {
    doing.finish();
    return 0;
  }
  return openTerminal(wanted, { ...session, clusterId: facts.clusterId });
}

async function listAll(path: string, output: 'json' | 'table', { print }: Surface): Promise<number> {
  const { facts } = await openFacts(path);
  print(output === 'json' ? JSON.stringify(listCommands(facts), null, 2) : listText(facts));
  return 0;
}

async function openFacts(
  path: string,
  heard?: (reply: unknown) => void,
): Promise<{ readonly session: Session; readonly api: ReturnType<typeof createApi>; readonly facts: Facts }> {
  const session = await resumeSession(path);
  const api = createApi(session, heard);
  return { session, api, facts: await factsOf(session.url, api) };
}

async function askForLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

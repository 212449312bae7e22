// Runs one command of the registry as the signed-in person, from its words to its exit status.
import { createInterface } from 'node:readline/promises';
import { Cancelled } from '../../../commands/answer.ts';
import type { Command } from '../../../commands/command.ts';
import { shellCommands } from '../../../commands/shell.ts';
import { ApiError } from '../../contract/failure.ts';
import { plainJson, plainText } from '../output.ts';
import { columns } from '../table.ts';
import { Refused, type Surface, type Typed, UsageError } from '../verb.ts';
import { resolveAnswers } from './answers.ts';
import { factsOf } from './facts.ts';
import { nodePorts } from './node-ports.ts';
import { refusal, withWhy, worksHere } from './refusal.ts';
import { readSession, sessionOf } from './session-file.ts';
import { resumeSession } from './signed.ts';
import { answersOf, exampleOf, usageOf, verbOf } from './spoken.ts';
import { openTerminal } from './terminal.ts';
import { createDoing } from './tools.ts';

/** Throws UsageError. */
function outputOf(typed: Typed): 'json' | 'table' {
  const output = typed.one('--output') ?? 'table';
  if (output !== 'json' && output !== 'table') throw new UsageError(`--output: "${output}": json or table expected`);
  return output;
}

/** Answers the exit status. Throws UsageError, Refused, ApiError. */
export async function runCommand(command: Command, typed: Typed, surface: Surface): Promise<number> {
  const output = outputOf(typed);
  const answers = answersOf(command, typed);
  const file = sessionOf(typed);
  const session = resumeSession(file);
  const facts = await factsOf(session);
  const refused = refusal(command, facts);
  if (refused !== undefined) throw new Refused(withWhy(`${verbOf(command)}: ${refused}`, facts));
  const yes = typed.has('--yes');
  if (command.destructive && !yes && surface.ask === null)
    throw new UsageError(`${verbOf(command)} cannot be undone, and there is nobody to ask here: give --yes`);
  const doing = createDoing({
    session,
    file,
    output,
    yes,
    to: typed.one('--to'),
    ask: surface.ask,
    print: surface.print,
  });
  const askLine = surface.ask === null ? null : askForLine;
  const given = await resolveAnswers(answers, { command, facts, tools: doing.tools, askLine });
  try {
    await command.run(given, facts, doing.tools);
  } catch (error) {
    if (error instanceof Cancelled) throw new Refused('nothing was done');
    throw error instanceof ApiError && error.code === 'denied' ? new Refused(withWhy(error.message, facts)) : error;
  }
  const wanted = doing.wanted();
  if (wanted === undefined) {
    doing.finish();
    return 0;
  }
  return openTerminal(wanted, nodePorts(session, facts.clusterId), session.url);
}

/** What its help says beside its flags: whether it asks before it acts, and whether whoever is signed in may run it. */
export async function moreOf(command: Command, typed: Typed): Promise<readonly string[]> {
  const signed = readSession(sessionOf(typed)) !== null;
  const example = exampleOf(command);
  const refused = signed ? refusal(command, await factsOf(resumeSession(sessionOf(typed)))) : undefined;
  return [
    ...(example === undefined ? [] : [`Such as: postern ${example}`]),
    ...(command.destructive ? ['It cannot be undone: it asks first, or give --yes.'] : []),
    signed
      ? refused === undefined
        ? 'You may run it.'
        : `You cannot run it: ${refused}.`
      : 'Sign in to see whether you may run it.',
  ];
}

/** The commands that work on the command line, refused ones with the reason. */
export async function listVerbs(typed: Typed, { print }: Surface): Promise<number> {
  const output = outputOf(typed);
  const facts = await factsOf(resumeSession(sessionOf(typed)));
  const rows = shellCommands
    .filter(worksHere)
    .map(command => ({ command, usage: usageOf(command), refused: refusal(command, facts) }));
  if (output === 'table')
    print(
      columns(
        rows.map(({ usage, refused }) => [
          [usage.verb, ...usage.words].join(' '),
          refused === undefined ? usage.help : `${usage.help}  (not for you: ${plainText(refused)})`,
        ]),
      ),
    );
  else
    print(
      plainJson(
        rows.map(({ command, usage, refused }) => ({
          verb: usage.verb,
          title: usage.help,
          arguments: (command.args ?? []).map(arg => ({
            name: arg.name,
            title: arg.title,
            optional: arg.optional === true || arg.sole === true,
          })),
          ...(refused !== undefined && { refused }),
        })),
      ),
    );
  return 0;
}

async function askForLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

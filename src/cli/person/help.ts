// What there is to do: all commands, or one with its arguments, and why some are not for this person or not for this place.
import type { Command, Facts } from '../../../commands/command.ts';
import { shellCommands as commands } from '../../../commands/shell.ts';
import { plainText } from './output.ts';

const groups: Readonly<Record<Command['group'], { readonly title: string; readonly needs: string }>> = {
  session: { title: 'Sessions', needs: 'a page of the console' },
  manage: { title: 'Management', needs: 'a page of the console' },
  go: { title: 'Pages', needs: 'a page to go to' },
  terminal: { title: 'Terminals', needs: "the console's terminal pane" },
  list: { title: 'Lists', needs: 'the list on a page of the console' },
  account: { title: 'Account', needs: 'a page of the console' },
  console: { title: 'Console', needs: 'the console around it' },
};

/** Why a command cannot run here for whoever is signed in, or undefined. */
export function refusal(command: Command, facts: Facts): string | undefined {
  if (command.when !== undefined && !command.when(facts)) {
    const elsewhere = !worksHere(command, facts);
    return elsewhere
      ? `it works in the console only: it needs ${command.group === 'account' && command.id === 'session.signOut' ? 'its own session; here it is sign-out' : groups[command.group].needs}`
      : 'neither your roles nor this gateway open what it works on';
  }
  return command.blocked?.(facts);
}

/** Whether anybody at all could run it on the command line. */
function worksHere(command: Command, facts: Facts): boolean {
  const { who } = facts;
  if (who === null || command.when === undefined) return true;
  const every = Object.fromEntries(
    Object.entries(who.userAcl).map(([key, flags]) => [
      key,
      typeof flags === 'boolean' ? true : Object.fromEntries(Object.keys(flags).map(flag => [flag, true])),
    ]),
  ) as typeof who.userAcl;
  return command.when({
    ...facts,
    who: { ...who, userAcl: every },
    config: { ...facts.config, canJoinSessions: true },
  });
}

const argumentsOf = (command: Command): string =>
  (command.args ?? [])
    .map(arg => (arg.optional || arg.sole ? `[${arg.name.toUpperCase()}]` : arg.name.toUpperCase()))
    .join(' ');

/** A command as a program reads it. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly arguments: readonly { readonly name: string; readonly title: string; readonly optional: boolean }[];
  readonly phrase?: string;
  readonly refused?: string;
}

function listed(command: Command, refused: string | undefined): Listed {
  return {
    id: command.id,
    title: command.title,
    group: groups[command.group].title,
    arguments: (command.args ?? []).map(arg => ({
      name: arg.name,
      title: arg.title,
      optional: arg.optional === true || arg.sole === true,
    })),
    ...(command.phrase && { phrase: command.phrase.example }),
    ...(refused !== undefined && { refused }),
  };
}

/** The commands that work on the command line, refused ones with the reason. */
export const listCommands = (facts: Facts): readonly Listed[] =>
  commands.filter(command => worksHere(command, facts)).map(command => listed(command, refusal(command, facts)));

/** The same for people, by group. */
export function listText(facts: Facts): string {
  const rows = commands
    .filter(command => worksHere(command, facts))
    .map(command => ({ command, left: `  ${command.id} ${argumentsOf(command)}`.trimEnd() }));
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2;
  const blocks = Object.entries(groups).flatMap(([group, { title }]) => {
    const mine = rows.filter(({ command }) => command.group === group);
    if (mine.length === 0) return [];
    const lines = mine.map(({ command, left }) => {
      const refused = refusal(command, facts);
      return `${left.padEnd(width)}${command.title}${refused === undefined ? '' : `  (not for you: ${refused})`}`;
    });
    return [title, ...lines, ''];
  });
  return [
    `Commands for ${plainText(facts.who?.userName ?? '')} on ${plainText(facts.clusterId)}; "do COMMAND --help" tells more of one`,
    '',
    ...blocks,
  ]
    .join('\n')
    .trimEnd();
}

/** One command. `facts` null: nobody is signed in, so it is not known who may run it. */
export function commandText(command: Command, facts: Facts | null): string {
  const args = command.args ?? [];
  const width = Math.max(0, ...args.map(arg => arg.name.length)) + 2;
  const refused = facts === null ? undefined : refusal(command, facts);
  return [
    command.title,
    '',
    `  npm run postern -- do ${`${command.id} ${argumentsOf(command)}`.trimEnd()}`,
    ...(command.phrase ? [`  npm run postern -- do ${command.phrase.example}`] : []),
    ...(args.length === 0
      ? []
      : [
          '',
          'Arguments, in this order or as --name VALUE',
          ...args.map(arg => {
            const more = arg.optional
              ? ' (may be left out)'
              : arg.sole
                ? ' (may be left out when there is only one)'
                : arg.free === undefined
                  ? ' (its beginning will do)'
                  : '';
            return `  ${arg.name.padEnd(width)}${arg.title}${more}`;
          }),
        ]),
    '',
    ...(command.destructive ? ['It cannot be undone: it asks first, or give --yes.'] : []),
    facts === null
      ? 'Sign in to see whether you may run it.'
      : refused === undefined
        ? 'You may run it.'
        : `You cannot run it: ${refused}.`,
  ].join('\n');
}

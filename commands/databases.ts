// Prompts on databases, in the console's terminals.
import { promptAddress } from '../src/contract/prompt-address.ts';
import { answer, Cancelled, CHOICES_MOST, textChoice } from './answer.ts';
import { type Argument, type Choice, type Command, command, type Facts, type Thing, type Tools } from './command.ts';
import { thingArgument } from './find.ts';
import { inConsole, reaches } from './gates.ts';

/** Any name that roles may give: what is typed is taken where they name no other. */
const wrongName = (typed: string): string | undefined =>
  typed.trim() === '' || typed.length > 255 ? 'A name of 1 to 255 characters' : undefined;

type Names = Pick<Thing, 'logins' | 'databases'>;

/** A database that was answered by name alone, as a typed line does, is asked for. */
async function namesOf(choice: Choice | undefined, { clusterId }: Facts, tools: Pick<Tools, 'call'>): Promise<Names> {
  if (choice === undefined || choice.thing !== undefined) return choice?.thing ?? {};
  const { listDatabases } = await import('../src/contract/resources.ts');
  const query = { search: choice.value, limit: CHOICES_MOST };
  const { items } = await tools.call(listDatabases, { params: { clusterId }, query });
  const found = items.find(({ name }) => name === choice.value);
  return found ? { logins: found.database_users, databases: found.database_names } : {};
}

/** One of the names that roles give for the database. */
const named = (name: string, title: string, of: (names: Names) => readonly string[] | undefined): Argument => ({
  name,
  title,
  free: wrongName,
  sole: true,
  choices: async (typed, { database }, facts, tools) => {
    const wanted = typed.trim().toLowerCase();
    return (of(await namesOf(database, facts, tools)) ?? [])
      .filter(one => one !== '*' && one.toLowerCase().includes(wanted))
      .slice(0, CHOICES_MOST)
      .map(textChoice);
  },
});

/** `db orders`, `db user@orders`, `db user@orders/name`; after `db ` the database may still be missing. */
function readDb(typed: string): Readonly<Record<string, string>> | undefined {
  const [, dbUser, database, dbName] = /^db\s+(?:([^\s@]+)@)?([^\s@/]*)(?:\/(\S+))?\s*$/.exec(typed) ?? [];
  if (database === undefined) return undefined;
  return { database, ...(dbUser !== undefined && { dbUser }), ...(dbName !== undefined && { dbName }) };
}

export const databases: readonly Command[] = [
  command({
    id: 'databases.prompt',
    title: 'Open an SQL prompt…',
    manual: 'sqlPrompt',
    group: 'session',
    words: ['db', 'query', 'select', 'psql', 'terminal', 'database', 'console'],
    when: facts => inConsole(facts) && reaches('databases')(facts),
    args: [
      thingArgument('database'),
      named('dbUser', 'Database user', ({ logins }) => logins),
      named('dbName', 'Database', names => names.databases),
    ],
    fits: ({ databases }) => databases !== undefined,
    onThing: { label: 'Open', title: name => `Open a prompt on ${name}`, icon: 'Terminal' },
    phrase: {
      example: 'db app@orders/shop',
      usage: {
        name: 'db',
        args: [
          { name: 'dbUser', text: '[USER@]' },
          { name: 'database', text: 'DATABASE' },
          { name: 'dbName', text: '[/NAME]' },
        ],
      },
      read: readDb,
      write: ({ dbUser, database = '', dbName }) =>
        `db ${dbUser === undefined ? '' : `${dbUser}@`}${database}${dbName === undefined ? '' : `/${dbName}`}`,
    },
    run: async (given, _facts, tools) => {
      const { value: database, title: hostname } = answer(given, 'database');
      const serverId = promptAddress({ database, dbName: answer(given, 'dbName').value });
      if (!(await tools.terminal.open({ serverId, hostname, login: answer(given, 'dbUser').value })))
        throw new Cancelled();
    },
  }),
];

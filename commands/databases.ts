// Prompts on databases, in the console's terminals.
import { promptAddress } from '../src/contract/prompt-address.ts';
import { answer, Cancelled, textChoice } from './answer.ts';
import { type Argument, type Command, command } from './command.ts';
import { thingArgument } from './find.ts';
import { reachesInConsole } from './gates.ts';
import { addressArgument, registered } from './registered.ts';

/** Fetched when one of them is asked something or run. */
const loadActs = () => import('./database-acts.ts');

/** Any name that roles may give: what is typed is taken where they name no other. */
const wrongName = (typed: string): string | undefined =>
  typed.trim() === '' || typed.length > 255 ? 'A name of 1 to 255 characters' : undefined;

/** One of the names that roles give for the database. */
const named = (name: string, title: string, kind: 'logins' | 'databases'): Argument => ({
  name,
  title,
  free: wrongName,
  sole: true,
  choices: async (...asked) => (await loadActs()).names(kind, ...asked),
});

/** `db orders`, `db user@orders`, `db user@orders/name`; after `db ` the database may still be missing. */
function readDb(typed: string): Readonly<Record<string, string>> | undefined {
  const [, dbUser, database, dbName] = /^db\s+(?:([^\s@]+)@)?([^\s@/]*)(?:\/(\S+))?\s*$/.exec(typed) ?? [];
  if (database === undefined) return undefined;
  return { database, ...(dbUser !== undefined && { dbUser }), ...(dbName !== undefined && { dbName }) };
}

const protocols = ['postgres', 'mysql', 'redis'];
export const databases: readonly Command[] = [
  command({
    id: 'databases.prompt',
    title: 'Open an SQL prompt…',
    manual: 'sqlPrompt',
    group: 'session',
    words: ['db', 'query', 'select', 'psql', 'terminal', 'database', 'console'],
    when: reachesInConsole('databases'),
    args: [
      thingArgument('database'),
      named('dbUser', 'Database user', 'logins'),
      named('dbName', 'Database name', 'databases'),
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
  ...Object.values(
    registered({
      noun: 'database',
      prefix: 'databases',
      one: 'a database',
      page: 'databases',
      key: 'db',
      resource: 'databases',
      manual: 'addDatabase',
      words: ['postgres', 'mysql', 'redis'],
      name: { name: 'name', title: 'Name, such as orders', free: wrongName, choices: () => [] },
      asks: [
        { name: 'protocol', title: 'What it speaks', once: true, choices: () => protocols.map(textChoice) },
        addressArgument,
      ],
      changes: { what: 'the address', title: 'New address, or nothing' },
      loadActs: async () => (await loadActs()).acts,
    }),
  ),
];

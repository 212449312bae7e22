// What the commands of databases do once they are asked: fetched then.
import { createDatabase, deleteDatabase, updateDatabase } from '../src/contract/database-changes.ts';
import { promptNames } from '../src/contract/database-protocols.ts';
import { listDatabases } from '../src/contract/resources.ts';
import { answer, CHOICES_MOST, textChoice } from './answer.ts';
import type { Argument, Choice, Facts, Thing, Tools } from './command.ts';
import { registeredActs } from './registered-acts.ts';

type Names = Pick<Thing, 'logins' | 'databases'>;

/** A database that was answered by name alone, as a typed line does, is asked for. */
async function namesOf(choice: Choice | undefined, { clusterId }: Facts, tools: Pick<Tools, 'call'>): Promise<Names> {
  if (choice === undefined || choice.thing !== undefined) return choice?.thing ?? {};
  const query = { search: choice.value, limit: CHOICES_MOST };
  const { items } = await tools.call(listDatabases, { params: { clusterId }, query });
  const found = items.find(({ name }) => name === choice.value);
  return found ? { logins: found.database_users, databases: promptNames(found) } : {};
}
/** The database users, or the databases, that roles give for a database. */
export async function names(
  kind: keyof Names,
  ...[typed, { database }, facts, tools]: Parameters<Argument['choices']>
): Promise<readonly Choice[]> {
  const wanted = typed.trim().toLowerCase();
  return ((await namesOf(database, facts, tools))[kind] ?? [])
    .filter(one => one !== '*' && one.toLowerCase().includes(wanted))
    .slice(0, CHOICES_MOST)
    .map(textChoice);
}

export const acts = registeredActs({
  noun: 'database',
  page: 'databases',
  diagnosed: 'db',
  manual: 'addDatabase',
  good: 'rights, way, certificate and log-in are in order',
  place: 'address',
  lacking: 'Type an address or labels',
  removal: 'It leaves the list. The database itself is not touched.',
  called: 'database',
  create: (call, clusterId, given, body) =>
    call(createDatabase, {
      params: { clusterId },
      body: { ...body, protocol: answer(given, 'protocol').value, uri: answer(given, 'address').value.trim() },
    }),
  update: (call, params, { place, labels }) =>
    call(updateDatabase, {
      params,
      body: { ...(place !== undefined && { uri: place }), ...(labels !== undefined && { labels }) },
    }),
  remove: ({ call }, params) => call(deleteDatabase, { params }),
});

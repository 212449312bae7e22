// What the commands of databases do once they are asked: fetched then.
import { createDatabase, deleteDatabase, updateDatabase } from '../src/contract/database-changes.ts';
import { promptNames } from '../src/contract/database-protocols.ts';
import { listDatabases } from '../src/contract/resources.ts';
import { answer, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import type { Argument, Choice, Command, Facts, Thing, Tools } from './command.ts';
import { labelsOf } from './servers.ts';
import { tryUntilUsable } from './trial.ts';

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

const tryDatabase = (name: string, facts: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> =>
  tryUntilUsable(
    'db',
    { name },
    { good: 'rights, way, certificate and log-in are in order', manual: 'addDatabase' },
    facts,
    tools,
  );

export const add: Command['run'] = async (given, facts, tools) => {
  const name = answer(given, 'name').value.trim();
  await tools.call(createDatabase, {
    params: { clusterId: facts.clusterId },
    body: {
      name,
      protocol: answer(given, 'protocol').value,
      uri: answer(given, 'address').value.trim(),
      labels: labelsOf(given),
    },
  });
  tools.notify(`${name} has been added`);
  if (facts.surface === 'console') tools.go('databases', { clusterId: facts.clusterId });
  await tryDatabase(name, facts, tools);
};

export const trial: Command['run'] = async (given, facts, tools) => {
  await tryDatabase(answer(given, 'database').value, facts, tools);
};

export const change: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'database');
  const uri = given.address?.value.trim() ?? '';
  const labels = labelsOf(given);
  if (uri === '' && labels.length === 0) throw new Error('Type an address or labels');
  await tools.call(updateDatabase, {
    params: { clusterId: facts.clusterId, name },
    body: { ...(uri !== '' && { uri }), ...(labels.length > 0 && { labels }) },
  });
  tools.notify(`${name} has been changed`);
  tools.list.reload?.();
  if (uri !== '') await tryDatabase(name, facts, tools);
};

export const remove: Command['run'] = async (given, facts, tools) => {
  const { value: name } = answer(given, 'database');
  await confirmed(tools, {
    title: `Remove ${name}?`,
    text: 'It leaves the list. The database itself is not touched.',
    action: 'Remove the database',
  });
  await tools.call(deleteDatabase, { params: { clusterId: facts.clusterId, name } });
  tools.notify(`${name} has been removed`);
  tools.list.reload?.();
};

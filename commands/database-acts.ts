// What the commands of databases do once they are asked: fetched then.
import {
  createDatabase,
  deleteDatabase,
  diagnoseConnection,
  type Trace,
  updateDatabase,
} from '../src/contract/database-changes.ts';
import { promptNames } from '../src/contract/database-protocols.ts';
import { listDatabases } from '../src/contract/resources.ts';
import { answer, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import type { Argument, Choice, Command, Facts, Thing, Tools } from './command.ts';
import { labelsOf } from './servers.ts';

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

const steps: Readonly<Record<Trace['traceType'], string>> = {
  RBAC_DATABASE: 'Roles select it',
  RBAC_DATABASE_LOGIN: 'Roles name user and database',
  CONNECTIVITY: 'Reached, certificate believed',
  DATABASE_DB_USER: 'Log-in',
  DATABASE_DB_NAME: 'The database is there',
  UNKNOWN_ERROR: 'Trial',
};
const line = ({ traceType, status, details, error }: Trace): string =>
  status === 'SUCCESS' ? `✓ ${steps[traceType]}: ${details}` : `✗ ${steps[traceType]}: ${error}\n   ${details}`;

/** Tries a database, and shows which step failed and what to do, until it can be used or the person has enough of it. */
async function tryDatabase(name: string, { clusterId }: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> {
  for (;;) {
    const { success, traces } = await tools.call(diagnoseConnection, {
      params: { clusterId },
      body: { resource_kind: 'db', resource_name: name },
    });
    if (success) return tools.notify(`${name} can be used: rights, way, certificate and log-in are in order`);
    const again = { title: `${name} cannot be used yet`, text: traces.map(line).join('\n'), action: 'Try again' };
    if (!(await tools.confirm({ ...again, manual: 'addDatabase' }))) return;
  }
}

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

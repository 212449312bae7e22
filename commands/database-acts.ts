// What the commands of databases do once they are asked: fetched then.
import {
  createDatabase,
  deleteDatabase,
  diagnoseConnection,
  type Trace,
  updateDatabase,
} from '../src/contract/database-changes.ts';
import type { Facts, Tools } from './command.ts';

export { createDatabase, deleteDatabase, updateDatabase };

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
export async function tryDatabase(name: string, { clusterId }: Pick<Facts, 'clusterId'>, tools: Tools): Promise<void> {
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

// Statements that wait for a review: a real server, psql, the gateway's own prompt and its calls, and the audit log.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditTrail, type DatabaseClient, logIn, openDatabases } from '../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../e2e/rigs/postgres.ts';
import type { WaitingStatement } from '../contract/reviews.ts';
import { type Browser, openRig, type Rig } from './app.testing.ts';
import { roleResource } from './services/rights/source.ts';

const run = promisify(execFile);
const REVIEWS = '/v1/webapi/sites/-current-/reviews';

let rig: Rig;
let postgres: PostgresRig;
let folder: string;
let client: DatabaseClient;
let owner: Browser;
let reviewer: Browser;
let watcher: Browser;

const careful = `kind: role
version: v7
metadata: { name: careful }
spec:
  guards:
    - { name: big, statements: [delete_without_where], effect: ask, message: ask a colleague }
    - { name: secret, tables: [payroll], effect: ask, reviewers: { users: [rob], roles: [payroll-officer] } }
    - { name: no ddl, statements: [ddl], effect: warn }
  allow:
    rules:
      - { resources: [statement_review], verbs: [list, update] }
`;
const reviewing = `kind: role
version: v7
metadata: { name: reviewing }
spec:
  allow:
    rules:
      - { resources: [statement_review], verbs: [list, update] }
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'postern-reviews-'));
  rig = await openRig({ databases: true });
  postgres = await openDatabases(rig);
  await run('psql', [
    postgres.url.replace(/\/[^/]*$/, '/orders'),
    '-qc',
    "create table drafts (id int primary key, body text); insert into drafts values (1, 'a'), (2, 'b'); create table payroll (id int); alter table drafts owner to app; alter table payroll owner to app",
  ]);
  for (const content of [careful, reviewing]) await rig.store.resources.create(roleResource(content));
  await rig.addUser('ann', ['access', 'shop', 'careful']);
  await rig.addUser('rob', ['access', 'reviewing']);
  await rig.addUser('wat', ['access']);
  await rig.addUser('sue', ['access', 'reviewing']);
  owner = await rig.signIn('ann');
  reviewer = await rig.signIn('rob');
  watcher = await rig.signIn('wat');
  client = await logIn(folder, owner, 'orders');
});
afterAll(async () => {
  await postgres?.dispose();
  await rig?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** psql with its output so far, and what it printed once it has ended. */
function psql(...statements: readonly string[]) {
  const line = `host=localhost hostaddr=127.0.0.1 port=${client.port} user=app dbname=orders sslmode=verify-full sslrootcert=${client.authority} sslcert=${client.certificate} sslkey=${client.key}`;
  const child: ChildProcess = spawn('psql', ['-AtX', '-d', line, ...statements.flatMap(text => ['-c', text])]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', bytes => {
      printed += String(bytes);
    });
  const ended = new Promise<string>(done => child.once('close', () => done(printed)));
  return { child, printed: () => printed, ended };
}
const listed = async (browser: Browser): Promise<readonly WaitingStatement[]> =>
  ((await browser.call('GET', REVIEWS)).json as { items: WaitingStatement[] }).items;
async function waitingFor(browser: Browser): Promise<WaitingStatement> {
  await expect.poll(async () => (await listed(browser)).length, { timeout: 20_000 }).toBe(1);
  const [one] = await listed(browser);
  if (!one) throw new Error('nothing waits');
  return one;
}
const decide = (browser: Browser, { id }: { readonly id: string }, decision: string, reason = '') =>
  browser.call('POST', `${REVIEWS}/${id}`, { decision, reason });

test('a statement waits with a notice, its plan before a reviewer, and is executed once it was allowed; once is once', async () => {
  const from = new Date();
  const first = psql('delete from drafts', 'select count(*) from drafts');
  await expect.poll(first.printed, { timeout: 20_000 }).toContain('it waits for a reviewer until');
  expect(first.printed()).toContain(
    'NOTICE:  Postern: guard "big" of role careful asks about delete without where: ask a colleague',
  );
  await expect
    .poll(async () => (await waitingFor(reviewer)).plan, { timeout: 20_000 })
    .toContain('Delete on public.drafts');
  const one = await waitingFor(reviewer);
  expect(one).toMatchObject({
    user: 'ann',
    database: 'orders',
    text: 'delete from drafts',
    guard: 'big',
    mayDecide: true,
    mayRepeat: true,
  });
  // Their own, seen and not decided, though their role would let them review those of others.
  expect((await listed(owner)).map(({ mayDecide }) => mayDecide)).toEqual([false]);
  expect((await decide(owner, one, 'once')).status).toBe(403);
  expect(await listed(watcher)).toEqual([]);
  expect((await decide(watcher, one, 'once')).status).toBe(403);
  // Nothing was executed yet, for the plan neither.
  const { stdout } = await run('psql', [
    postgres.url.replace(/\/[^/]*$/, '/orders'),
    '-Atc',
    'select count(*) from drafts',
  ]);
  expect(stdout.trim()).toBe('2');
  expect((await decide(reviewer, one, 'once')).status).toBe(200);
  expect(await first.ended).toMatch(/DELETE 2\n0\n$/);
  expect((await decide(reviewer, one, 'once')).status).toBe(404);

  const again = psql('delete from drafts');
  expect((await decide(reviewer, await waitingFor(reviewer), 'refuse', 'not today')).status).toBe(200);
  expect(await again.ended).toContain('rob has refused it: not today');
  await expect
    .poll(async () => (await auditTrail(rig, from)).filter(({ code }) => code === 'TDB01I').length, { timeout: 20_000 })
    .toBe(2);
  const entries = await auditTrail(rig, from);
  expect(entries.filter(({ guard }) => guard === 'big').map(({ code, reviewer: by }) => [code, by])).toEqual([
    ['TDB10I', undefined],
    ['TDB11I', 'rob'],
    ['TDB02I', 'rob'],
    ['TDB10I', undefined],
    ['TDB11W', 'rob'],
  ]);
  let recorded = '';
  for await (const line of (await rig.services.recordings.file(String(entries[0]?.sid), 'text')) ?? [])
    recorded += line;
  expect(recorded).toContain('-- waits for a review: guard "big"');
  expect(recorded).toContain('-- allowed once by rob');
});

test('what is allowed for the session is asked about no more in it, also when it was prepared; other statements are', async () => {
  const one = psql('delete from drafts', 'delete from drafts', 'delete from only drafts');
  expect((await decide(reviewer, await waitingFor(reviewer), 'session')).status).toBe(200);
  await expect.poll(async () => (await listed(reviewer))[0]?.text, { timeout: 20_000 }).toBe('delete from only drafts');
  await decide(reviewer, await waitingFor(reviewer), 'refuse');
  expect((await one.ended).match(/DELETE 0/g)).toHaveLength(2);
});

test('Ctrl-C ends the wait, the client stays; a client that is gone, a lock and a role that changes end it too', async () => {
  const cancelled = psql('delete from drafts', 'select 7');
  await waitingFor(reviewer);
  cancelled.child.kill('SIGINT');
  expect(await cancelled.ended).toContain('it was cancelled while it waited for a review');
  await expect.poll(() => listed(reviewer)).toEqual([]);

  const gone = psql('delete from drafts');
  await waitingFor(reviewer);
  gone.child.kill('SIGKILL');
  await expect.poll(() => listed(reviewer), { timeout: 20_000 }).toEqual([]);

  const freed = psql('delete from drafts');
  await waitingFor(reviewer);
  const unguarded = careful.replace(/ {4}- \{ name: big.*\n/, '');
  await rig.store.resources.put(roleResource(unguarded));
  rig.changes.emit({ kind: 'roleChanged', role: 'careful' });
  expect(await freed.ended).toContain('DELETE');
});

test('a guard that names reviewers is decided by those alone', async () => {
  const asked = psql('select * from payroll');
  const sue = await rig.signIn('sue');
  const one = await waitingFor(sue);
  expect(one).toMatchObject({ guard: 'secret', mayDecide: false });
  expect((await decide(sue, one, 'once')).status).toBe(403);
  expect((await decide(reviewer, one, 'once')).status).toBe(200);
  expect(await asked.ended).not.toContain('ERROR');
});

import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import headless from '@xterm/headless';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBooks, openCache, openDatabases, role, auditTrail as trailFrom } from '../../../e2e/rigs/databases.ts';
import type { PostgresRig } from '../../../e2e/rigs/postgres.ts';
import { decodeFrame, encodeFrame, frameTypes } from '../../contract/envelope.ts';
import { promptAddress } from '../../contract/prompt-address.ts';
import { type Browser, CLUSTER, openRig, type Rig } from '../app.testing.ts';
import { roleResource } from '../services/rights/source.ts';

const run = promisify(execFile);
let rig: Rig;
const servers: { dispose(): Promise<void> }[] = [];
let port: number;
let ann: Browser;

beforeAll(async () => {
  rig = await openRig({ databases: true });
  for (const server of [openDatabases, openBooks, () => openCache(rig, '+monitor')]) servers.push(await server(rig));
  await rig.addUser('ann', ['access', 'shop']);
  await rig.addUser('bob', ['access', 'reader']);
  await rig.addUser('carl', ['access', 'shop']);
  await rig.app.listen({ port: 0, host: '127.0.0.1' });
  port = (rig.app.server.address() as AddressInfo).port;
  ann = await rig.signIn('ann');
});
afterAll(async () => {
  for (const server of servers) await server.dispose();
  await rig?.dispose();
});

interface Prompt {
  readonly sid: string;
  /** Sends keys. */
  type(keys: string): void;
  /** Resolves with the screen's text once it holds this. */
  shows(text: string | RegExp): Promise<string>;
  /** Types a statement, and resolves with what stands below it once the prompt is back. */
  run(statement: string): Promise<string>;
  /** Resolves with what the gateway said at the end. */
  ended(): Promise<string>;
  /** Types an export; answers the file that `by` fetches, and what stands below it. */
  exports(statement: string, by?: Browser): Promise<{ readonly file: Response; readonly said: () => Promise<string> }>;
  close(): void;
}

/** A terminal of 80 columns and 24 lines with a prompt in it. */
async function open(
  who: Browser,
  {
    database = 'orders',
    dbName = 'orders',
    login = 'app',
    sid = '',
  }: { database?: string; dbName?: string; login?: string; sid?: string } = {},
): Promise<Prompt> {
  const params = {
    server_id: sid ? '' : promptAddress({ database, dbName }),
    login,
    sid,
    mode: '',
    term: { h: 24, w: 80 },
  };
  const query = new URLSearchParams({ access_token: who.bearer, params: JSON.stringify(params), traceparent: '' });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/connect?${query}`, {
    headers: { cookie: `__Host-session=${who.cookie}` },
  } as unknown as string[]);
  socket.binaryType = 'arraybuffer';
  const screen = new headless.Terminal({ cols: 80, rows: 24, allowProposedApi: true, scrollback: 5000 });
  let waiting: (() => void)[] = [];
  let closing: string | null = null;
  let named = '';
  const files: string[] = [];
  const wake = (): void => {
    for (const one of waiting.splice(0)) one();
    waiting = [];
  };
  socket.addEventListener('message', ({ data }) => {
    const { type, payload } = decodeFrame(new Uint8Array(data as ArrayBuffer));
    const text = new TextDecoder().decode(payload);
    if (type === frameTypes.raw) screen.write(payload, wake);
    if (type === frameTypes.audit) {
      const told = JSON.parse(text) as { event: string; id: string };
      if (told.event === 'prompt.file') files.push(told.id);
    }
    if (type === frameTypes.session) named = (JSON.parse(text) as { session: { id: string } }).session.id;
    if (type === frameTypes.error || type === frameTypes.close) closing = text;
    wake();
  });
  socket.addEventListener('close', ({ reason }) => {
    closing ??= reason;
    wake();
  });
  const content = (): string => {
    const { active } = screen.buffer;
    return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd();
  };
  async function until<Result>(look: () => Result | null): Promise<Result> {
    for (;;) {
      const found = look();
      if (found !== null) return found;
      await new Promise<void>(resolve => waiting.push(resolve));
    }
  }
  const type = (keys: string): void => socket.send(new Uint8Array(encodeFrame(frameTypes.raw, Buffer.from(keys))));
  const shows = (text: string | RegExp): Promise<string> =>
    until(() => {
      const now = content();
      return (typeof text === 'string' ? now.includes(text) : text.test(now)) ? now : null;
    });
  const prompts = (): number => content().match(/^\w+=?[*!]?[>#]/gm)?.length ?? 0;
  await until(() => (named !== '' || closing !== null ? true : null));
  /** What stands below the statement that was typed last, once there are so many prompts. */
  async function below(before: number): Promise<string> {
    const text = await until(() => (prompts() > before ? content() : null));
    return (
      text
        .split(/^\w+=?[*!]?[>#].*\n/gm)
        .at(-1)
        ?.split(/^\w+=?[*!]?[>#]/m)[0] ?? text
    );
  }
  return {
    sid: named,
    type,
    shows,
    async run(statement) {
      const before = prompts();
      type(`${statement}\r`);
      return below(before);
    },
    async exports(statement, by = who) {
      const before = prompts();
      type(`${statement}\r`);
      const id = await until(() => files.shift() ?? null);
      return { file: await fetchFile(by, named, id), said: () => below(before) };
    },
    ended: () => until(() => closing),
    close: () => socket.close(1000),
  };
}
const fetchFile = (by: Browser, sid: string, id: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/v1/webapi/sites/${CLUSTER}/sessions/${sid}/files/${id}`, {
    headers: { authorization: `Bearer ${by.bearer}`, cookie: `__Host-session=${by.cookie}` },
  });
async function auditTrail(sid: string): Promise<readonly (readonly [string, unknown])[]> {
  const to = new Date(Date.now() + 60_000);
  const found = await rig.store.events.search({ from: new Date(0), to, limit: 1000, types: [], descending: false });
  return found.events
    .filter(({ raw, code }) => raw.sid === sid && code.startsWith('TDB'))
    .map(({ raw, code }) => [code, raw.db_query ?? raw.db_name] as const);
}
const PROMPT = /^orders=> *$/m;

test('who asks for a database user of their own hears that this database makes none, and so does the audit log', async () => {
  await rig.store.resources.create(
    roleResource('kind: role\nversion: v7\nmetadata: { name: asking }\nspec: { options: { create_db_user: true } }\n'),
  );
  await rig.addUser('zoe', ['access', 'shop', 'asking']);
  const from = new Date();
  const prompt = await open(await rig.signIn('zoe'));
  const said = 'orders has no admin_user who would make users, so create_db_user does nothing';
  await prompt.shows(said);
  prompt.close();
  expect((await trailFrom(rig, from))[0]).toMatchObject({
    code: 'TDB00I',
    unprepared: [expect.stringContaining(said)],
  });
});

test('statements are typed, run and shown; each is one event, refused ones too, and the session is recorded', async () => {
  const prompt = await open(ann);
  expect(await prompt.shows(PROMPT)).toMatch(/PostgreSQL \d+.*, orders as app\. At most 1000 rows/s);
  expect(await prompt.run('select 1 as one, \'zwei\' as "zwölf 漢字", null as nothing;')).toMatch(
    / one \| zwölf 漢字 \| nothing\s*\n-----\+------------\+---------\n {3}1 \| zwei {7}\| NULL\n\(1 row\)\nTime: [\d.]+ ms/,
  );
  expect(await prompt.run('select nope;')).toMatch(
    /ERROR: {2}column "nope" does not exist\nLINE 1: select nope;\n {15}\^/,
  );
  // Several lines, and several statements of which the second is refused.
  prompt.type('create table t (id int primary key,\r');
  await prompt.shows(/^orders->/m);
  expect(await prompt.run(' v text);')).toContain('CREATE TABLE');
  expect(await prompt.run("insert into t values (1, 'a;b'), (2, E'x\\ty\\u001b[31m'); select 1/0; select 3;")).toMatch(
    /INSERT 0 2[\s\S]*division by zero(?![\s\S]*3)/,
  );
  expect(await prompt.run('select * from t;')).toContain('  2 | x⇥y\ufffd[31m');
  expect(await prompt.run('\\d t')).toMatch(/Columns of t[\s\S]*public\.t[\s\S]*not null[\s\S]*t_pkey/);
  expect(await prompt.run('begin;')).toContain('BEGIN');
  await prompt.shows(/^orders=\*>/m);
  await prompt.run('rollback;');
  prompt.type('\\q\r');
  expect(await prompt.ended()).toBe('');
  await expect.poll(async () => (await auditTrail(prompt.sid)).at(-1)?.[0]).toBe('TDB01I');
  const codes = await auditTrail(prompt.sid);
  expect(codes.filter(([, text]) => !/^select (n\.|pg_|k\.)/.test(String(text)))).toEqual([
    ['TDB00I', 'orders'],
    ['TDB02I', 'select 1 as one, \'zwei\' as "zwölf 漢字", null as nothing;'],
    ['TDB02I', 'select nope;'],
    ['TDB02W', 'select nope;'],
    ['TDB02I', 'create table t (id int primary key,\n v text);'],
    ['TDB02I', "insert into t values (1, 'a;b'), (2, E'x\\ty\\u001b[31m');"],
    ['TDB02I', 'select 1/0;'],
    ['TDB02W', 'select 1/0;'],
    ['TDB02I', 'select * from t;'],
    ['TDB02I', 'begin;'],
    ['TDB02I', 'rollback;'],
    ['TDB01I', 'orders'],
  ]);
  const end = await rig.store.events.endOf(prompt.sid);
  expect(end?.raw).toMatchObject({
    db_service: 'orders',
    db_user: 'app',
    session_recording: 'node',
    participants: ['ann'],
  });
  expect((await rig.services.recordings.summary(prompt.sid))?.state).toBe('sealed');
});

test('Ctrl-C stops the statement in the database, and the prompt goes on', async () => {
  const prompt = await open(ann);
  await prompt.shows(PROMPT);
  prompt.type('select pg_sleep(60);\r');
  await expect
    .poll(async () => (await auditTrail(prompt.sid)).map(([, text]) => text))
    .toContain('select pg_sleep(60);');
  prompt.type('\x03');
  await prompt.shows('canceling statement due to user request');
  expect(await prompt.run('select 7 as seven;')).toContain('seven');
  prompt.close();
});

test('what is more than the screen is paged, what is more than the cap is said, and what is too wide stands in lines', async () => {
  const prompt = await open(ann);
  await prompt.shows(PROMPT);
  prompt.type('select i from generate_series(1, 5000) i;\r');
  expect(await prompt.shows('lines 1–23 of 1003')).toContain('\n   20');
  prompt.type(' ');
  await prompt.shows('lines 24–46 of 1003');
  prompt.type('/ 700\r');
  await prompt.shows('lines 702–724');
  prompt.type('G');
  await prompt.shows('(the first 1000 rows: there are more, see \\set rows)');
  prompt.type('q');
  await prompt.shows(/Time: .*\n^orders=>/m);
  expect(await prompt.run('\\set rows 2')).toContain('rows is 2.');
  expect(await prompt.run("select repeat('x', 50) a, repeat('y', 50) b from generate_series(1, 3);")).toMatch(
    /-\[ RECORD 1 \]-+\na \| x{50}\nb \| y{50}\n-\[ RECORD 2[\s\S]*\(the first 2 rows/,
  );
  expect(await prompt.run('\\set timeout 50ms')).toContain('timeout is 50ms.');
  expect(await prompt.run('select pg_sleep(10);')).toContain('canceling statement due to statement timeout');
  prompt.close();
});

test('roles say as whom and where: others are refused with a sentence, in the audit log too; \\c asks again', async () => {
  const denied = await open(ann, { login: 'postern' });
  expect(await denied.ended()).toBe('You may not use orders as database user "postern".');
  const bob = await rig.signIn('bob');
  expect(await (await open(bob)).ended()).toBe('You may not use orders as database user "app".');
  const unknown = await open(bob, { login: 'nobody' });
  expect(await unknown.ended()).toContain('nobody');
  const prompt = await open(ann);
  await prompt.shows(PROMPT);
  expect(await prompt.run('\\c postgres')).toContain('You may not use database "postgres" of orders.');
  expect(await prompt.run('\\c orders')).toContain('You are in database "orders" now');
  expect(await prompt.run('select 5 as five;')).toContain('five');
  await expect.poll(async () => (await auditTrail(prompt.sid)).map(([code]) => code)).toEqual(['TDB00I', 'TDB02I']);
  prompt.close();
});

test('whoever comes as a user that may only read stays that, whatever is typed', async () => {
  const postgres = servers[0] as PostgresRig;
  const admin = (text: string) => run('psql', [postgres.url.replace(/\/[^/?]*(\?|$)/, '/orders$1'), '-qc', text]);
  await admin(
    'create role viewer login; create table seen (n int); insert into seen values (7); grant select on seen to viewer',
  );
  await rig.store.resources.create(roleResource(role('viewers', 'viewer')));
  await rig.addUser('vera', ['access', 'viewers']);
  const prompt = await open(await rig.signIn('vera'), { login: 'viewer' });
  await prompt.shows('orders=>');
  expect(await prompt.run('select n from seen;')).toContain('7');
  for (const [typed, said] of [
    ['insert into seen values (8);', 'permission denied for table seen'],
    ['set role app;', 'permission denied to set role "app"'],
    ['set session authorization app;', 'permission denied to set session authorization'],
    ['reset role; delete from seen;', 'permission denied for table seen'],
  ] as const)
    expect(await prompt.run(typed)).toContain(said);
  expect(await prompt.run('select count(*) from seen;')).toContain('1');
  prompt.close();
});

test('it is a session like any: listed, taken up again with its screen, ended by a lock; history comes back', async () => {
  const prompt = await open(ann);
  await prompt.shows(PROMPT);
  await prompt.run("select 'kept' as word;");
  const listed = rig.services.sessions.get(prompt.sid)?.session;
  expect(listed).toMatchObject({
    kind: 'db',
    database_name: 'orders',
    login: 'app',
    last_command: "select 'kept' as word;",
  });
  const again = await open(ann, { sid: prompt.sid });
  await again.shows('kept');
  again.type('\x1b[A');
  await again.shows(/^orders=> select 'kept' as word;$/m);
  again.type('\x15\x12kep');
  await again.shows('(search "kep") select');
  again.type('\x07');
  const other = await open(ann);
  await other.shows(PROMPT);
  other.type('\x1b[A');
  await other.shows("orders=> select 'kept' as word;");
  const lock = { targets: { user: 'ann' }, message: 'left a laptop in a taxi', ttl: '' };
  await rig.services.locks.add(lock, { user: 'root', rights: null });
  await Promise.all([other.ended(), prompt.ended()]);
  const said = async (): Promise<unknown> => (await rig.store.events.endOf(prompt.sid))?.raw.message;
  await expect.poll(said).toContain('left a laptop in a taxi');
});

test('MariaDB is a prompt as well: rows and columns as its own, cancel in the server, caps, lists and another database', async () => {
  const prompt = await open(await rig.signIn('carl'), { database: 'books' });
  expect(await prompt.shows(/^orders=> *$/m)).toMatch(/MariaDB \d+[\d.]*, books as app\. At most 1000 rows/);
  expect(await prompt.run("select 1 as one, 'zwei' as `zwölf 漢字`, null as nothing, x'00ff' as bytes;")).toMatch(
    / one \| zwölf 漢字 \| nothing \| bytes\s*\n-----\+------------\+---------\+--------\n {3}1 \| zwei {7}\| NULL {4}\| 0x00ff\n\(1 row\)\nTime: [\d.]+ ms/,
  );
  expect(await prompt.run('select nope;')).toMatch(/ERROR 1054: {2}Unknown column 'nope'.*\(42S22\)/);
  prompt.type('create table t (id int primary key,\r');
  await prompt.shows(/^orders->/m);
  expect(await prompt.run(' v text);')).toContain('OK, 0 rows affected');
  expect(await prompt.run("insert into t values (1, 'a;b'), (2, 'x\\ty');")).toContain('OK, 2 rows affected');
  expect(await prompt.run('begin;')).toContain('OK');
  await prompt.shows(/^orders=\*>/m);
  await prompt.run('rollback;');
  expect(await prompt.run('\\d t')).toMatch(/Columns of t[\s\S]*id[\s\S]*int\(11\)[\s\S]*not null[\s\S]*PRIMARY/);
  expect(await prompt.run('\\set rows 1')).toContain('rows is 1.');
  expect(await prompt.run('select * from t;')).toContain('(the first 1 row: there are more, see \\set rows)');
  prompt.type('select sleep(60);\r');
  await expect.poll(async () => (await auditTrail(prompt.sid)).map(([, text]) => text)).toContain('select sleep(60)');
  prompt.type('\x03');
  await prompt.shows(/^orders=> *$\s*$/m);
  expect(await prompt.run('\\c mysql')).toContain('You may not use database "mysql" of books.');
  expect(await prompt.run('select 7 as seven;')).toContain('seven');
  prompt.type('\\q\r');
  expect(await prompt.ended()).toBe('');
});

test('Redis is a prompt as well: a line is a command, lists are rows, and what waits is stopped', async () => {
  const prompt = await open(await rig.signIn('carl'), { database: 'cache', dbName: '' });
  expect(await prompt.shows(/^cache> *$/m)).toMatch(/Redis \d+[\d.]*, cache as app\. At most 1000 rows/);
  expect(await prompt.run('SET greeting "a b\\x1b"')).toContain('OK');
  expect(await prompt.run('GET greeting')).toContain('a b\ufffd');
  expect(await prompt.run('RPUSH list one two three')).toMatch(/^3$/m);
  expect(await prompt.run('LRANGE list 0 -1')).toMatch(
    / # \| value\s*\n---\+-------\n 1 \| one\s*\n 2 \| two\s*\n 3 \| three\n\(3 rows\)/,
  );
  expect(await prompt.run('NOPE')).toContain("ERR unknown command 'NOPE'");
  expect(await prompt.run('GET "')).toContain('quotes that do not close');
  expect(await prompt.run('UNSUBSCRIBE news')).toContain('use redis-cli for this one');
  prompt.type('BLPOP nothing 60\r');
  await expect.poll(async () => (await auditTrail(prompt.sid)).map(([, text]) => text)).toContain('BLPOP nothing 60');
  prompt.type('\x03');
  await prompt.shows('The command was stopped. The prompt has connected anew');
  expect(await prompt.run('\\d gree*')).toContain('greeting');
  expect(await prompt.run('\\set timeout 50ms')).toContain('timeout is 50ms.');
  expect(await prompt.run('BLPOP nothing 60')).toContain('took longer than');
  prompt.type('\\q\r');
  expect(await prompt.ended()).toBe('');
});

test('what Redis goes on to say is shown as it comes, until Ctrl-C or as many lines as rows are shown, and is written down', async () => {
  const listener = await open(await rig.signIn('carl'), { database: 'cache', dbName: '' });
  const speaker = await open(await rig.signIn('carl'), { database: 'cache', dbName: '' });
  await listener.shows(/^cache> *$/m);
  await speaker.shows(/^cache> *$/m);
  listener.type('SUBSCRIBE news "other news"\r');
  await listener.shows(/Listening until Ctrl-C\.\n\[subscribe, news, 1\]\n\[subscribe, "other news", 2\]/);
  expect(await speaker.run('PUBLISH news "one\\ntwo\\x1b"')).toMatch(/^1$/m);
  await listener.shows('news: one↵two\ufffd');
  await expect
    .poll(async () => (await auditTrail(listener.sid)).map(([, text]) => text))
    .toContain('SUBSCRIBE news "other news"');
  listener.type('\x03');
  await listener.shows('The command was stopped. The prompt has connected anew');
  // Nobody listens any more, and commands have answers again.
  await expect.poll(() => speaker.run('PUBLISH news three')).toMatch(/^0$/m);
  expect(await listener.run('PING')).toContain('PONG');
  expect(await listener.run('\\csv SUBSCRIBE news')).toContain('It has no end');
  expect(await listener.run('\\set rows 3')).toContain('rows is 3.');
  listener.type('MONITOR\r');
  await listener.shows(/^OK$/m);
  await speaker.run('SET watched 1');
  await listener.shows(/"SET" "watched" "1"/);
  await speaker.run('SET watched 2');
  await listener.shows(
    /"SET" "watched" "2"[\s\S]*Stopped after 3 lines \(\\set rows\)\. The prompt has connected anew/,
  );
  expect(await listener.run('GET watched')).toMatch(/^2$/m);
  listener.close();
  speaker.close();
});

test('all rows of a statement are a file for the browser of whose session it is, once; those shown last are one as well', async () => {
  const carl = await rig.signIn('carl');
  const prompt = await open(carl);
  await prompt.shows(PROMPT);
  expect(await prompt.run('\\csv')).toContain('There is no answer at hand: \\csv STATEMENT exports');
  const all = await prompt.exports('\\csv select i, null as "a,b", $$$$ as empty from generate_series(1, 5000) i;');
  expect(all.file.headers.get('content-type')).toContain('text/csv');
  expect(all.file.headers.get('content-disposition')).toMatch(/filename="orders-[\d-]+\.csv"/);
  const lines = (await all.file.text()).split('\r\n');
  expect([lines.length, ...lines.slice(0, 2), lines[5000]]).toEqual([5002, 'i,"a,b",empty', '1,,""', '5000,,""']);
  expect(await all.said()).toMatch(/^5000 rows \(\d+ bytes\) in orders-[\d-]+\.csv\.\n *Time:/m);
  await prompt.run('\\set rows 1');
  await prompt.run("select 12345678901234567890.10 as n, 'a\"b' as t from generate_series(1, 2);");
  const shown = await prompt.exports('\\json');
  expect(await shown.file.text()).toBe('[\n{"n":12345678901234567890.10,"t":"a\\"b"}\n]\n');
  expect(await shown.said()).toContain('Only the rows that were shown');
  // Nobody else gets it: not another person, not another browser of the same one.
  const kept = await prompt.exports('\\csv select 1 as one', await rig.signIn('carl'));
  expect(kept.file.status).toBe(404);
  expect((await fetchFile(await rig.signIn('bob'), prompt.sid, 'x')).status).toBe(404);
  prompt.type('\x03');
  expect(await kept.said()).toContain('The export was stopped.');
  expect(await prompt.run('\\csv select nope')).toContain('column "nope" does not exist');
  expect(await prompt.run('\\json create table exported (id int)')).toContain('There are no rows to export.');
  await expect.poll(async () => (await auditTrail(prompt.sid)).map(([, text]) => text)).toContain('select 1 as one');
  prompt.close();
});

test('what does not come to its end is no whole file, and the prompt goes on', async () => {
  const prompt = await open(await rig.signIn('carl'));
  await prompt.shows(PROMPT);
  const { file, said } = await prompt.exports('\\csv select 1 / (1000 - i) as n from generate_series(1, 2000) i');
  await expect(file.text()).rejects.toThrow();
  expect(await said()).toContain('division by zero');
  const left = await prompt.exports("\\csv select repeat('x', 1000) from generate_series(1, 1000000)");
  await left.file.body?.cancel();
  expect(await left.said()).toContain('The browser did not take the whole file.');
  expect(await prompt.run('select 7 as seven;')).toContain('seven');
  prompt.close();
});

test('MariaDB and Redis export as well, however many rows there are', async () => {
  const carl = await rig.signIn('carl');
  const books = await open(carl, { database: 'books' });
  await books.shows(/^orders=> *$/m);
  expect(await books.run('\\set rows 2')).toContain('rows is 2.');
  await books.run('select seq from seq_1_to_5;');
  const csv = await books.exports('\\csv select seq, null as n from seq_1_to_5000;');
  expect((await csv.file.text()).split('\r\n').slice(4999)).toEqual(['4999,', '5000,', '']);
  expect(await csv.said()).toContain('5000 rows');
  const left = await books.exports("\\csv select repeat('x', 1000) as x from seq_1_to_1000000;");
  await left.file.body?.cancel();
  expect(await left.said()).toContain('The browser did not take the whole file.');
  expect(await books.run('select seq from seq_1_to_5;')).toContain('the first 2 rows: there are more');
  books.close();
  const cache = await open(carl, { database: 'cache', dbName: '' });
  await cache.shows(/^cache> *$/m);
  await cache.run('RPUSH exported one "two, three"');
  const list = await cache.exports('\\csv LRANGE exported 0 -1');
  expect(await list.file.text()).toBe('#,value\r\n1,one\r\n2,"two, three"\r\n');
  await list.said();
  const value = await cache.exports('\\json LINDEX exported 0');
  expect(await value.file.text()).toBe('[\n{"value":"one"}\n]\n');
  cache.close();
});

import { afterAll, expect, test } from 'vitest';
import { createStatementReader } from './statement-reader.ts';

const problems: string[] = [];
const reader = createStatementReader(problem => void problems.push(problem));
afterAll(() => reader.close());

const kinds = async (text: string): Promise<readonly string[] | null> =>
  (await reader.read('ann', 'postgres', text))?.flatMap(one => [...one.kinds]) ?? null;

test('short and long texts are read alike, and what no grammar knows is not', async () => {
  const long = `delete from t /* ${'x'.repeat(20_000)} */`;
  expect(await kinds('delete from t')).toEqual(['write', 'delete_without_where']);
  expect(await kinds(long)).toEqual(['write', 'delete_without_where']);
  expect(await kinds(long)).toEqual(['write', 'delete_without_where']);
  expect(await kinds('this is none')).toBeNull();
  expect(await kinds(`this is none ${'x'.repeat(20_000)}`)).toBeNull();
  expect(await reader.read('ann', 'mongodb', 'delete from t')).toBeNull();
  expect(problems).toEqual([]);
});

test('a text on which the grammar breaks down is not read, takes nobody else along, and is reported once', async () => {
  const deep = `select 1${'+1'.repeat(300_000)}`;
  const [broken, other] = await Promise.all([kinds(deep), kinds(`select 1 /* ${'x'.repeat(20_000)} */`)]);
  expect(broken).toBeNull();
  expect(other).toEqual([]);
  expect(await kinds(deep)).toBeNull();
  expect(await kinds('drop table t')).toEqual(['ddl']);
  expect(problems).toEqual(['a statement of postgres could not be looked into']);
});

test('a text that keeps the grammar of MySQL busy without end is given up, and another is read behind it', async () => {
  const busy = reader.read('ann', 'mysql', `select ${'(select '.repeat(40)}1`);
  const other = reader.read('ann', 'mysql', 'delete from t where id = 7');
  expect(await busy).toBeNull();
  expect([...((await other)?.[0]?.kinds ?? [])]).toEqual(['write']);
  // Once read, a statement of the same words is known whatever its values are.
  expect(reader.read('ann', 'mysql', 'delete from t where id = 8')).toBe(await other);
}, 20_000);

test("whoever keeps the grammar busy keeps nobody else's statements waiting", async () => {
  const select = (column: string) => `select ${column} from t`;
  // Both threads are there already: what is looked at is who waits, not how long a thread takes to begin.
  await Promise.all([reader.read('ann', 'mysql', select('a')), reader.read('bob', 'mysql', select('b'))]);
  let isGivenUp = false;
  const busy = Promise.resolve(reader.read('ann', 'mysql', `select ${'(select '.repeat(41)}1`)).then(facts => {
    isGivenUp = true;
    return facts;
  });
  expect(await reader.read('bob', 'mysql', select('c'))).not.toBeNull();
  expect(isGivenUp).toBe(false);
  expect(await busy).toBeNull();
}, 20_000);

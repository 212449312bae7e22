import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGatewayId } from './gateway-id.ts';

const EARLIER = '0c4f7c7e-55d1-4b1e-9d5d-6f3a4c1b2a3d';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'postern-id-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const none = async () => null;

test('an id is made once and stays, whatever is known from earlier', async () => {
  const id = await readGatewayId(folder, none);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(await readGatewayId(folder, async () => EARLIER)).toBe(id);
  expect(statSync(join(folder, 'gateway.id')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'gateway.id.new'))).toBe(false);
});

test('an id from earlier is kept when it is one', async () => {
  expect(await readGatewayId(folder, async () => EARLIER)).toBe(EARLIER);
  expect(readFileSync(join(folder, 'gateway.id'), 'utf8')).toBe(`${EARLIER}\n`);
});

test.each([7, 'box', ''])('%j from earlier is no id', async earlier => {
  expect(await readGatewayId(folder, async () => earlier)).not.toBe(earlier);
});

test('a file that holds another thing stops the start, by name', async () => {
  writeFileSync(join(folder, 'gateway.id'), 'half an');
  await expect(readGatewayId(folder, none)).rejects.toThrow(`${join(folder, 'gateway.id')}: a UUID expected`);
});

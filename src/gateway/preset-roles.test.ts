// The preset roles of stores that older versions made.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditEntry, AuditLog } from './ports/audit.ts';
import { contentDigest, ensurePresets } from './preset-roles.ts';
import { presetRoles } from './services/rights/presets.ts';
import { roleContent, roleResource } from './services/rights/source.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/store.ts';

let folder: string;
let store: Store;
let told: string[];
let noted: AuditEntry[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-presets-'));
  store = await openStore({ kind: 'sqlite', folder });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  told = [];
  noted = [];
});
const audit = { emit: async (entry: AuditEntry) => void noted.push(entry) } as unknown as AuditLog;
const start = () => ensurePresets(store, audit, text => void told.push(text));
const editor = presetRoles.find(({ name }) => name === 'editor')?.content ?? '';
/** The preset as it was before bots and directories had rules: the digest of it is known to this version. */
const older = editor.replace('          - discovery_config\n          - bot\n', '');
const stored = async () => {
  const row = await store.resources.get('role', 'editor');
  return row && roleContent(row);
};

test('a preset that an older version shipped becomes what this one ships, once, and the audit log says so', async () => {
  await start();
  expect([told, noted]).toEqual([[], []]);
  await store.resources.put(roleResource(older));
  await start();
  expect(await stored()).toBe(editor);
  expect(noted).toEqual([{ code: 'T9002I', name: 'editor', user: 'system', updated_by: 'system' }]);
  expect(told).toEqual(['role "editor" was what an older version shipped, and is what this version ships now']);
  await start();
  expect(noted).toHaveLength(1);
});

test('a preset that somebody has changed, copied over or deleted stays as it is', async () => {
  const changed = older.replace('          - user\n', '');
  await store.resources.put(roleResource(changed));
  await start();
  expect(await stored()).toBe(changed);
  expect(told).toEqual([expect.stringContaining('role "editor" was changed here and stays so')]);
  // Without the label it is a role of theirs.
  const own = older.replace(/ {2}labels:\n.*\n/, '');
  await store.resources.put(roleResource(own));
  await start();
  expect(await stored()).toBe(own);
  await store.resources.delete('role', 'editor');
  await start();
  expect([await stored(), noted]).toEqual([null, []]);
});

test('whoever changes a preset keeps the digest of what it was among those that were shipped before', () => {
  const digests = Object.fromEntries(presetRoles.map(({ name, content }) => [name, contentDigest(content)]));
  expect(digests).toEqual({
    access: '8cMHIgT9Y3V27bo8E737is7kWouacgoFGqngL55RVfk',
    auditor: '1y7YIkmvn3m7VHQuBhhsC1K55UbZaXs0YOdBUU8KQJk',
    editor: '5-wwNkP-kH54oOWsToZGspGIj3xKRG-D0_EL4xwiGuY',
  });
});

// What one role may ask of the gateway: every test here once took seconds, or all memory.
import { describe, expect, test } from 'vitest';
import type { SelectorRule } from '../../ports/rights.ts';
import { onBothEngines, person, serverNamed } from '../../store/store.testing.ts';
import { createRights } from './rights.ts';
import { parseRole } from './role.ts';
import { roleResource } from './source.ts';

const yaml = (spec: object) => JSON.stringify({ kind: 'role', version: 'v7', metadata: { name: 'heavy' }, spec });
const rightsWith = (spec: object, traits: Record<string, readonly string[]> = {}) =>
  createRights([parseRole(yaml(spec))], { name: 'ann', roles: ['heavy'], traits });
const all = { '*': '*' };

/** A replacement in a replacement: every level makes the value `factor` times as long. */
const nested = (value: string, levels: number, factor: number): string =>
  levels === 0 ? value : `regexp.replace(${nested(value, levels - 1, factor)}, "(.)", "${'$1'.repeat(factor)}")`;
const logins = [`{{${nested('internal.logins', 7, 20)}}}`];
const expression = `contains(${nested('labels["env"]', 7, 20)}, "x")`;
const traits = { logins: ['somebody'] };

describe('a role over the bound', () => {
  test.each([
    ['a login', { allow: { logins } }, 'role heavy: spec.allow.logins.0: regexp.replace() could make more than'],
    ['a label', { deny: { node_labels: { env: logins } } }, 'role heavy: spec.deny.node_labels.env: regexp.replace()'],
    ['a database user', { allow: { db_users: ['x', ...logins] } }, 'role heavy: spec.allow.db_users.1: regexp'],
    [
      'an expression',
      { allow: { app_labels_expression: expression } },
      'role heavy: spec.allow.app_labels_expression: regexp.replace() could make',
    ],
    [
      'too many regular expressions',
      {
        allow: {
          node_labels: { env: Array.from({ length: 100 }, (_, index) => `^(${index}|[a-z]{200}[a-z]{200}x{0,50})$`) },
        },
      },
      'the regular expressions of this role are too large',
    ],
    [
      'too many conditions',
      {
        allow: {
          rules: Array.from({ length: 100 }, () => ({
            resources: ['user'],
            verbs: ['list'],
            where: Array.from({ length: 60 }, () => 'equals(resource.metadata.name, "x")').join(' || '),
          })),
        },
      },
      'the conditions of this role have more than 5000 parts',
    ],
  ])('is refused when it is written: %s', (_what, spec, why) => {
    expect(() => roleResource(yaml(spec))).toThrow(why);
    expect(() => roleResource(yaml(spec))).toThrow(/\(line \d+, column \d+\)$/);
  });

  test('gives nothing when it is stored all the same, and what it denies it denies altogether', () => {
    const plain = { node_labels: all, logins: ['root'] };
    expect(rightsWith({ allow: { node_labels: all, logins } }, traits).logins({})).toEqual([]);
    expect(rightsWith({ allow: plain, deny: { logins } }, traits).logins({})).toEqual([]);
    expect(rightsWith({ allow: plain, deny: { node_labels: { env: logins } } }, traits).selects('node', {})).toBe(
      false,
    );
    // Traits that are shorter, or not there, take no more than they may.
    expect(rightsWith({ allow: plain, deny: { logins } }).logins({})).toEqual(['root']);
  });

  test.each(['node_labels', 'node_labels_expression'])('selects nothing by %s, and denies by it', key => {
    const heavy = key === 'node_labels' ? { env: '^(x?){600}x{600}$' } : expression;
    const labels = { env: 'x'.repeat(900) };
    expect(rightsWith({ allow: { [key]: heavy } }).selects('node', labels)).toBe(false);
    expect(rightsWith({ allow: { node_labels: all }, deny: { [key]: heavy } }).selects('node', labels)).toBe(false);
    expect(rightsWith({ allow: { node_labels: all }, deny: { [key]: heavy } }).selects('node', {})).toBe(true);
  });
});

test('a trait that is no regular expression where one is expected selects nothing, and denies', () => {
  const spec = { node_labels: { env: '{{external.env}}' } };
  const traits = { env: ['^($', 'dev'] };
  expect(rightsWith({ allow: spec }, traits).selects('node', { env: 'prod' })).toBe(false);
  expect(rightsWith({ allow: spec }, traits).selects('node', { env: 'dev' })).toBe(true);
  expect(rightsWith({ allow: { node_labels: all }, deny: spec }, traits).selects('node', { env: 'prod' })).toBe(false);
});

onBothEngines(({ open }) => {
  test('lists say the same of such roles as the rights do', async () => {
    const store = await open();
    const servers = [
      serverNamed('long', { labels: { env: 'x'.repeat(900) } }),
      serverNamed('short', { labels: { env: 'x' } }),
      serverNamed('none', { labels: {} }),
    ];
    await store.resources.putMany(servers);
    const specs = [
      { allow: { node_labels: { env: '^(x?){600}x{600}$' } } },
      { allow: { node_labels_expression: expression } },
      { allow: { node_labels_expression: `!(${expression})` } },
      { allow: { node_labels: all }, deny: { node_labels: { env: '^(x?){600}x{600}$' } } },
      { allow: { node_labels: all }, deny: { node_labels_expression: expression } },
      { allow: { node_labels: all }, deny: { node_labels_expression: `!(${expression})` } },
      { allow: { node_labels: all }, deny: { node_labels: { env: '{{external.env}}' } } },
    ];
    for (const spec of specs) {
      const rights = rightsWith(spec, { env: ['^($'] });
      const page = await store.resources.list('node', { limit: 10, selection: rights.selection('node'), count: false });
      const expected = servers.filter(({ labels }) => rights.selects('node', labels)).map(({ name }) => name);
      expect([spec, page.items.map(({ name }) => name)]).toEqual([spec, expected.sort()]);
    }
  });

  test('a list that takes too much work altogether is refused, not shortened', async () => {
    const store = await open();
    await store.resources.putMany(
      Array.from({ length: 3000 }, (_, index) => serverNamed(`s${index}`, { labels: { env: 'x'.repeat(60) } })),
    );
    const rule: SelectorRule = { labels: { env: ['^(x?){400}y$'] }, expression: null };
    const selection = { allow: [rule], deny: [], user: person };
    await expect(store.resources.list('node', { limit: 10, selection, count: true })).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the conditions of your roles take too much work on this many resources; search for fewer',
    });
    const light = { ...selection, allow: [{ labels: { env: ['^x+$'] }, expression: null }] };
    expect((await store.resources.list('node', { limit: 10, selection: light, count: true })).items).toHaveLength(10);
  });
});

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from './calls.ts';
import { listQuery } from './shapes.ts';

const lists = Object.values(calls).filter(({ parts }) => parts.query === listQuery);

test.each(['nodes', 'apps', 'databases', 'desktops', 'kubernetes', 'user-groups'])(
  'list calls accept search-as-roles: %s',
  kind => {
    const call = lists.find(({ path }) => path === `/v1/webapi/sites/:clusterId/${kind}`);
    expect(z.parse(listQuery, { searchAsRoles: 'yes' })).toEqual({ searchAsRoles: 'yes' });
    expect(call?.method).toBe('GET');
  },
);

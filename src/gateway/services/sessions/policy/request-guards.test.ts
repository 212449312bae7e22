import { expect, test } from 'vitest';
import type { GuardedRequest } from '../../../ports/kubernetes.ts';
import type { Guard } from '../../../ports/rights.ts';
import { matchRequestGuards } from './request-guards.ts';

const guard = (parts: Partial<Guard>): Guard => ({ role: 'dev', name: 'g', effect: 'block', ...parts });
const request = (verb: string, kind: string, name: string | null, namespace: string | null = 'shop') => ({
  ...{ verb, kind, name, namespace },
});

test.each<[Partial<Guard>, GuardedRequest, boolean]>([
  [
    { verbs: ['delete'], kinds: ['namespaces'], names: ['prod-*'] },
    request('delete', 'namespaces', 'prod-1', null),
    true,
  ],
  [
    { verbs: ['delete'], kinds: ['namespaces'], names: ['prod-*'] },
    request('delete', 'namespaces', 'test', null),
    false,
  ],
  [{ verbs: ['delete'], names: ['prod-*'] }, request('deletecollection', 'pods', null), true],
  [{ verbs: ['create'], names: ['prod-*'] }, request('create', 'pods', null), true],
  [{ verbs: ['get'] }, request('list', 'pods', null), false],
  [{ verbs: ['*'], kinds: ['*sets'] }, request('patch', 'statefulsets', 'web'), true],
  [{ kinds: ['secrets'], namespaces: ['prod-*'] }, request('list', 'secrets', null, null), true],
  [{ kinds: ['secrets'], namespaces: ['prod-*'] }, request('list', 'secrets', null, 'test'), false],
  [{ verbs: ['delete'], namespaces: ['prod-*'] }, request('delete', 'namespaces', 'prod-1', null), true],
  [{ verbs: ['*'] }, request('get', '', null, null), false],
])('a guard on %j and the request %j: %s', (about, asked, is) => {
  expect(matchRequestGuards([guard(about)], asked) !== null).toBe(is);
});

test('the strictest of the guards is heard, and all that ask name their reviewers', () => {
  const asks = guard({ effect: 'ask', verbs: ['delete'], reviewers: { users: ['rob'] } });
  const warns = guard({ effect: 'warn', verbs: ['*'] });
  expect(matchRequestGuards([warns, asks], request('delete', 'pods', 'a'))).toMatchObject({
    effect: 'ask',
    reviewers: [{ users: ['rob'] }],
  });
  expect(matchRequestGuards([warns, asks, guard({ kinds: ['pods'] })], request('delete', 'pods', 'a'))?.effect).toBe(
    'block',
  );
});

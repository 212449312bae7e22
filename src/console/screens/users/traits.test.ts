import { expect, test } from 'vitest';
import type { User } from '../../../contract/users.ts';
import { changedTraits, faultOf, knownTraits, traitsOf } from './traits.ts';

const person = (name: string, allTraits: User['allTraits'] = {}): User => ({
  name,
  roles: ['access'],
  authType: 'local',
  allTraits,
  isBot: false,
});

test('only the traits that are others are sent, and one that was emptied is cleared', () => {
  const before = traitsOf(person('ada', { logins: ['root', 'ada'], kubernetes_users: ['dev'] }));
  expect(changedTraits(before, before)).toEqual({});
  expect(changedTraits(before, { ...before, logins: ['ada', 'root'] })).toEqual({});
  expect(changedTraits(before, { ...before, logins: ['ada'], kubeUsers: [] })).toEqual({
    logins: ['ada'],
    kubeUsers: [],
  });
});

test('what anybody has is offered once', () => {
  const people = [person('ada', { logins: ['root', 'ada'] }), person('bob', { logins: ['root'] }), person('eve')];
  expect(knownTraits(people, 'logins')).toEqual(['ada', 'root']);
});

// Rule 5: AWS role ARN
test('a role of AWS is named as IAM names it, and what a person had before is no fault of whoever edits', () => {
  const arn = (name: string) => `arn:aws:iam::123456789012:role/${name}`;
  expect(faultOf('awsRoleArns', [], [arn('ReadOnly'), arn('team/Ops')])).toBeUndefined();
  for (const wrong of [arn('x'), 'ReadOnly', `${arn('a')}${arn('b')}`, 'arn:aws:iam::123456789012:user/ann'])
    expect([wrong, faultOf('awsRoleArns', [], [wrong])]).toEqual([wrong, 'invalid role ARN format']);
  expect(faultOf('awsRoleArns', ['*'], ['*', arn('ReadOnly')])).toBeUndefined();
  expect(faultOf('logins', [], ['anything'])).toBeUndefined();
});

import { expect, test } from 'vitest';
import { fakeStorage } from './fakes.testing.ts';
import { keepForStart, takeInvites } from './kept-answers.ts';
import { keys, readJson, writeJson } from './storage.ts';

const invites = { people: ['ann', 'bob'], roles: ['access'], logins: [] };
const survey = { companyName: 'Example', employeeCount: '0-19', team: 'IT', jobTitle: 'VP', resources: [2] };

// Rule 3.1: invites of the one who came first
test('answers of somebody who came in are kept for the start, and invitations are taken once', () => {
  const storage = fakeStorage();
  keepForStart(storage, { survey, invites });
  expect(readJson(storage, keys.onboardSurvey)).toEqual(survey);
  expect([takeInvites(storage), takeInvites(storage)]).toEqual([invites, null]);
});

test('nothing is kept of what was skipped, and what someone mangled invites nobody', () => {
  const storage = fakeStorage();
  keepForStart(storage, { survey: null, invites: { ...invites, people: [] } });
  expect(storage.length).toBe(0);
  for (const mangled of [1, [], { people: 'ann' }, { ...invites, roles: [5] }]) {
    writeJson(storage, keys.invites, mangled);
    expect(takeInvites(storage)).toBeNull();
  }
});

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema } from '../../contract/preferences.ts';
import { missingIn, noAnswers, resourceChoices, type Survey } from '../wizards/survey/survey.ts';
import { fakeStorage } from './fakes.testing.ts';
import { keys, readJson, writeJson } from './storage.ts';
import { sendSurvey, storedSurvey } from './survey.ts';

const whole: Survey = {
  companyName: ' Example ',
  employeeCount: '20-199',
  team: 'IT',
  jobTitle: 'Manager',
  resources: [2, 4],
};

/** Preferences of one person at a gateway that answers, or does not. */
function begin(answers: boolean) {
  const state = { chosen: z.parse(schema, { theme: 2 }) };
  const change = async (changed: Partial<Preferences>): Promise<boolean> => {
    state.chosen = { ...state.chosen, ...changed };
    return answers;
  };
  return { storage: fakeStorage(), preferences: { state, change } };
}

// Rule 2.4: the questionnaire
test('every answer of the questionnaire is required', () => {
  expect(Object.keys(missingIn(noAnswers))).toEqual(['companyName', 'employeeCount', 'team', 'jobTitle', 'resources']);
  expect(missingIn({ ...whole, companyName: '  ' })).toEqual({ companyName: 'Company name is required' });
  expect(missingIn({ ...whole, resources: [] })).toEqual({ resources: 'At least one resource is required' });
  expect(missingIn(whole)).toEqual({});
});

// Rule 3.3: preferred resources are numbered 0 to 5
test('what may be preferred has the numbers of the wire: 1 desktops, 2 SSH, 3 databases, 4 Kubernetes, 5 applications', () =>
  expect(
    resourceChoices.toSorted((one, other) => one.value - other.value).map(({ value, title }) => [value, title]),
  ).toEqual([
    [1, 'Windows desktops'],
    [2, 'Servers over SSH'],
    [3, 'Databases'],
    [4, 'Kubernetes'],
    [5, 'Web applications'],
  ]));

test('answers become preferences of the person, and stay no longer in the browser', async () => {
  const ports = begin(true);
  await sendSurvey(whole, ports);
  expect(ports.preferences.state.chosen).toMatchObject({
    theme: 2,
    onboard: {
      preferredResources: [2, 4],
      survey: { companyName: 'Example', employeeCount: '20-199', team: 'IT', jobTitle: 'Manager' },
    },
  });
  expect(z.safeParse(schema, ports.preferences.state.chosen).success).toBe(true);
  expect(ports.storage.getItem(keys.onboardSurvey)).toBeNull();
});

// Rule 3.1: the survey
test('answers that did not arrive are kept in the browser, to be sent when the console starts next', async () => {
  const ports = begin(false);
  await sendSurvey(whole, ports);
  expect(storedSurvey(ports.storage)).toEqual(whole);
  expect(readJson(ports.storage, keys.onboardSurvey)).toEqual(whole);
});

test('what someone mangled in the storage is no survey', () => {
  const mangled = [null, 1, [], {}, { ...whole, team: 5 }, { ...whole, resources: 'all' }, { ...whole, resources: [] }];
  for (const kept of mangled) {
    const storage = fakeStorage();
    writeJson(storage, keys.onboardSurvey, kept);
    expect(storedSurvey(storage)).toBeNull();
  }
  expect(storedSurvey(fakeStorage())).toBeNull();
});

// The questionnaire's questions and where its answers go: to the gateway, and into this browser until they are there (specification sections 2 to 4).
import type { Preferences } from '../../contract/preferences.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** What is asked, in order; every answer is required (ui-facts 15). */
export const questions = {
  companyName: { title: 'Company name', missing: 'Company name is required' },
  employeeCount: {
    title: 'Number of employees',
    missing: 'Number of employees is required',
    choices: ['0-19', '20-199', '200-499', '500-999', '1000-4999', '5000+'],
  },
  team: {
    title: 'Team',
    missing: 'Team is required',
    choices: ['Software Engineering', 'DevOps Engineering', 'IT', 'Support', 'Finance', 'Legal', 'Other'],
  },
  jobTitle: {
    title: 'Job title',
    missing: 'Job title is required',
    choices: ['Individual contributor', 'Manager', 'Director', 'VP', 'C-Suite/Owner'],
  },
} as const;
const RESOURCES_MISSING = 'At least one resource is required';

/** The preferred resource enumeration (specification section 3), in the order that is shown. */
export const resourceChoices = [
  { value: 5, title: 'Web applications' },
  { value: 1, title: 'Windows desktops' },
  { value: 2, title: 'Servers over SSH' },
  { value: 3, title: 'Databases' },
  { value: 4, title: 'Kubernetes' },
] as const;

export type Question = keyof typeof questions;
/** The answers: '' and none chosen where there is none yet. */
export interface Survey extends Readonly<Record<Question, string>> {
  readonly resources: readonly number[];
}
export const noAnswers: Survey = { companyName: '', employeeCount: '', team: '', jobTitle: '', resources: [] };

/** What is missing, by question; empty when the survey may be sent. */
export function missingIn(survey: Survey): Partial<Record<Question | 'resources', string>> {
  const missing: Partial<Record<Question | 'resources', string>> = {};
  for (const name of Object.keys(questions) as Question[])
    if (survey[name].trim() === '') missing[name] = questions[name].missing;
  if (survey.resources.length === 0) missing.resources = RESOURCES_MISSING;
  return missing;
}

/** Answers that this browser holds because the gateway has not got them; null when there are none, or they are not ours. */
export function storedSurvey(storage: KeyValueStorage): Survey | null {
  const stored = readJson(storage, keys.onboardSurvey);
  if (typeof stored !== 'object' || stored === null) return null;
  const given = stored as Partial<Record<string, unknown>>;
  const areTexts = Object.keys(questions).every(name => typeof given[name] === 'string');
  const areNumbers = Array.isArray(given.resources) && given.resources.every(one => typeof one === 'number');
  if (!areTexts || !areNumbers) return null;
  const survey = given as unknown as Survey;
  return Object.keys(missingIn(survey)).length === 0 ? survey : null;
}

export interface SurveyPorts {
  readonly storage: KeyValueStorage;
  readonly preferences: {
    readonly state: { readonly chosen: Preferences };
    /** Says whether the gateway has them now. */
    readonly change: (changed: Partial<Preferences>) => Promise<boolean>;
  };
}

/** Keeps the answers as the person's preferences, and in this browser until the gateway has them. */
export async function sendSurvey(survey: Survey, { storage, preferences }: SurveyPorts): Promise<void> {
  writeJson(storage, keys.onboardSurvey, survey);
  const { resources, companyName, employeeCount, team, jobTitle } = survey;
  const isThere = await preferences.change({
    onboard: {
      ...preferences.state.chosen.onboard,
      preferredResources: [...resources],
      survey: { companyName: companyName.trim(), employeeCount, team, jobTitle },
    },
  });
  if (isThere) storage.removeItem(keys.onboardSurvey);
}

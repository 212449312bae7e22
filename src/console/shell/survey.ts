// Where the questionnaire's answers go: to the gateway, and into this browser until they are there (specification sections 2 to 4).
import type { Preferences } from '../../contract/preferences.ts';
import { missingIn, questions, type Survey } from '../wizards/survey/survey.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

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

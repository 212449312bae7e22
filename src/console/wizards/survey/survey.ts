// The questionnaire: who a person is, and what they came for (specification sections 2 and 3).

/** What is asked, in order; every answer is required. */
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

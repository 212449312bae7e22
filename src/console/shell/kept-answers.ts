// What a person has answered before the console could start: it stays in this browser until then (specification, section 3).
import * as z from 'zod/mini';
import { textChoice } from '../../../commands/answer.ts';
import type { Given } from '../../../commands/command.ts';
import type { StartAnswers } from '../screens/page.tsx';
import { type Invites, invites as schema } from '../wizards/invites/invites.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';

/** Keeps them; the survey is sent by whoever would ask it, the invitations by `takeInvites`. */
export function keepForStart(storage: KeyValueStorage, { survey, invites }: StartAnswers): void {
  if (survey !== null) writeJson(storage, keys.onboardSurvey, survey);
  if (invites.people.length > 0) writeJson(storage, keys.invites, invites);
}

/** Whom to invite now, once: what was kept is gone afterwards. Nobody where nothing of ours was kept. */
export function takeInvites(storage: KeyValueStorage): Invites | null {
  const kept = z.safeParse(schema, readJson(storage, keys.invites)).data ?? null;
  storage.removeItem(keys.invites);
  return kept;
}

/** Invites those whom somebody has named on their way in, one after the other, as the command would. */
export async function inviteKept(run: (id: string, given: Given) => Promise<void>): Promise<void> {
  const kept = takeInvites(localStorage);
  const [roles, logins] = [textChoice(kept?.roles.join(', ') ?? ''), textChoice(kept?.logins.join(', ') ?? '')];
  for (const name of kept?.people ?? []) await run('users.invite', { name: textChoice(name), roles, logins });
}

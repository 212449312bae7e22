// Whose an event is: by id where the event says it, else by name and time, since a name may have been somebody else's before.
import type { Who } from '../../ports/who.ts';
import type { UserRecord, Users } from '../../store/store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Who took part, by the names that the event shows. */
function namesIn({ participants, user }: Fields): readonly string[] {
  const named = Array.isArray(participants) ? participants.filter(name => typeof name === 'string') : [];
  return typeof user === 'string' && named.length === 0 ? [user] : named;
}

/** When what the event tells began. */
function beganAt({ session_start: start, time }: Fields): Date | null {
  const said = typeof start === 'string' ? start : time;
  return typeof said === 'string' || said instanceof Date ? new Date(said) : null;
}

/**
 * The participants of an event or recording as rules compare them for this person: their own name is among them only if it was they who
 * took part, and not an earlier user of the name.
 */
export function participantsFor({ user, userId, since }: Pick<Who, 'user' | 'userId' | 'since'>, event: Fields) {
  const { participant_ids: ids, user_id: id } = event;
  const began = beganAt(event);
  const tookPart = Array.isArray(ids)
    ? ids.includes(userId)
    : typeof id === 'string'
      ? id === userId
      : began !== null && began >= since;
  return namesIn(event).filter(name => name !== user || tookPart);
}

/** Whether an event says itself whose it is. */
export const hasIds = ({ user_id: id, participant_ids: ids }: Fields): boolean => id !== undefined || ids !== undefined;

/** The ids that an event does not say itself: of those who have its names now, and had them when what it tells began. */
export async function missingIds(users: Pick<Users, 'named'>, event: Fields, now: Date): Promise<Fields> {
  if (hasIds(event)) return {};
  const began = beganAt({ session_start: event.session_start, time: now });
  const wanted = [...new Set([event.user, ...namesIn(event)])].filter(name => typeof name === 'string');
  const found = (await users.named(wanted)).filter(({ created }) => began !== null && created <= began);
  const idOf = new Map(found.map(({ name, id }: UserRecord) => [name, id]));
  const userId = typeof event.user === 'string' ? idOf.get(event.user) : undefined;
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...(Array.isArray(event.participants) && {
      participant_ids: namesIn(event).flatMap(name => idOf.get(name) ?? []),
    }),
  };
}

// What roles ask of a server that was not prepared for it: said where it begins, since nobody sees what is missing.
import type { Rights } from '../../ports/rights.ts';
import type { Target } from '../../ports/servers.ts';
import { hostUserOf } from './host-user.ts';
import { askedOfKernel } from './kernel-commands.ts';

/** A sentence for each, such as for the audit log. The gateway's own machine is never prepared. */
export function unpreparedFor(
  { options, principals }: Pick<Rights, 'options' | 'principals'>,
  target: Target,
): readonly string[] {
  const isMaking =
    options.createHostUser === 'off' || hostUserOf({ options, principals }, target).hostUser !== undefined;
  const asked = askedOfKernel(target, options);
  const unseen = options.recordKernel.filter(kind => !asked.includes(kind));
  return [
    ...(isMaking ? [] : [`${target.hostname} was not prepared to make users, so create_host_user does nothing there.`]),
    ...(unseen.length === 0
      ? []
      : [`${target.hostname} was not prepared to tell of ${unseen.join(', ')}, so enhanced_recording has none of it.`]),
  ];
}

/** What the person is told in their terminal as well: it decides whether their login is there. Null: nothing. */
export const loginNotice = (rights: Pick<Rights, 'options' | 'principals'>, target: Target): string | null =>
  unpreparedFor({ ...rights, options: { ...rights.options, recordKernel: [] } }, target)[0] ?? null;

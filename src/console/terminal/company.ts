// Who is in a session, in words.
import type { Participant } from '../../client/terminal-frames.ts';
import { isDesktopTab, RUNNING, type Tab, userOf } from './tab.ts';

/**
 * Who takes part beside this tab, in words: `bob watches, carol types`; '' for nobody. This one is named too where it only watches, and
 * whoever is there from two windows once.
 */
export function companyText({
  parties,
  party,
  mode,
  sessionState: { state, writer } = RUNNING,
}: Pick<Tab, 'parties' | 'party' | 'mode'> & { readonly sessionState?: Tab['sessionState'] }): string {
  const isSelf = ({ id }: Participant): boolean => id === party && party !== '';
  const who = (how: Participant['mode']): readonly string[] => [
    ...(mode === how && how !== 'peer' ? ['you'] : []),
    ...new Set(
      parties
        .filter(one => one.mode === how && !isSelf(one) && (how !== 'peer' || one.user !== writer))
        .map(one => one.user),
    ),
  ];
  const clause = (names: readonly string[], one: string, more: string): string =>
    names.length === 0 ? '' : `${names.join(', ')} ${names.length === 1 && names[0] !== 'you' ? one : more}`;
  const keys = writer === '' ? '' : `${writer === userOf({ parties, party }) ? 'you have' : `${writer} has`} the keys`;
  const stands = state === 'running' ? '' : state === 'pending' ? 'waits for others' : 'paused';
  return [
    stands,
    clause(who('observer'), 'watches', 'watch'),
    clause(who('moderator'), 'moderates', 'moderate'),
    writer === '' ? clause(who('peer'), 'types', 'type') : clause(who('peer'), 'is here', 'are here'),
    keys,
  ]
    .filter(text => text !== '')
    .join('; ');
}

/** Who hears what is typed into this tab: its shell, its desktop, or nobody and why. */
export function keysGoTo({
  serverId,
  status,
  mode,
  parties,
  party,
  sessionState: { state, writer } = RUNNING,
}: Pick<Tab, 'serverId' | 'status' | 'parties' | 'party' | 'mode'> & {
  readonly sessionState?: Tab['sessionState'];
}): string {
  const hears = isDesktopTab({ serverId }) ? 'desktop' : 'shell';
  if (status !== 'connected') return `${hears}, when connected`;
  if (mode !== 'peer') return 'nobody, you watch';
  if (state !== 'running') return `nobody, the session ${state === 'pending' ? 'waits' : 'is paused'}`;
  return writer === '' || writer === userOf({ parties, party }) ? hears : `nobody, ${writer} has the keys`;
}

// The words of the status line.
import type { Focus } from '../../../commands/command.ts';
import type { FeatureId } from '../../features/table.ts';

/** What is left of the web session, such as "11 h 52 min left"; '' when it is not known. */
export function timeLeftText(sessionExpires: string, now: number): string {
  const minutes = Math.floor((Date.parse(sessionExpires) - now) / 60_000);
  if (Number.isNaN(minutes) || minutes < 0) return '';
  if (minutes < 1) return 'under 1 min left';
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** That a terminal has no connection, and since when, ms since 1970; '' while it has one or is about to. */
export function outageText(
  tab: { readonly status: string; readonly lostAt: number | null } | undefined,
  now: number,
): string {
  if (tab?.status === 'refused') return 'not connected';
  if (tab === undefined || tab.lostAt === null) return '';
  const seconds = Math.max(0, Math.round((now - tab.lostAt) / 1000));
  return `no connection for ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`}`;
}

type Assumed = readonly { readonly roles: readonly string[]; readonly things: number; readonly ends: string }[];
/** What access requests give that are used now: roles, or how many things. */
export const assumedWords = (assumed: Assumed): string =>
  assumed
    .map(({ roles, things }) => (things === 0 ? roles.join(', ') : things === 1 ? 'one thing' : `${things} things`))
    .join(', ');
/** The same with how long the first of it lasts. */
export function assumedText(assumed: Assumed, now: number): string {
  const ends = [...assumed].map(one => one.ends).sort()[0] ?? '';
  return `using ${assumedWords(assumed)}, ${timeLeftText(ends, now) || 'ended'}`;
}

type Hint = readonly [commandId: string, text: string];

/** Three hints that fit the focus: command and word, in order. */
export function hintsFor(
  focus: Focus,
  feature: FeatureId | null,
  {
    hasTerminals,
    hasList,
    onDesktop,
  }: { readonly hasTerminals: boolean; readonly hasList: boolean; readonly onDesktop: boolean },
): readonly Hint[] {
  if (focus === 'terminal' && onDesktop)
    return [
      ['palette.open', 'palette'],
      ['terminal.leader', 'keys of the page'],
    ];
  if (focus === 'terminal')
    return [
      ['palette.open', 'palette'],
      ['terminal.find', 'find'],
      ['terminal.pane', 'hide'],
    ];
  const both: readonly Hint[] = [
    ['palette.open', 'palette'],
    ['help.open', 'keys'],
  ];
  if (feature === 'player') return both;
  if (hasTerminals) return [...both, ['terminal.pane', 'terminals']];
  return hasList ? [...both, ['list.filter', 'filter']] : both;
}

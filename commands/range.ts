// The time range of the audit log and of recordings: it stands in the address of the page, so that a link shows the same time.
import { answer } from './answer.ts';
import { type Argument, type Command, command, type Facts } from './command.ts';
import { onList } from './gates.ts';

const onRange = (facts: Facts): boolean =>
  onList(facts) && (facts.feature === 'audit' || facts.feature === 'recordings');

/** What is wrong with a calendar day such as 2026-01-31, or undefined. */
export function wrongDay(typed: string): string | undefined {
  const day = typed.trim();
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // The 31st of a shorter month is read as another day.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
    ? undefined
    : 'Type a day as year-month-day, such as 2026-01-31';
}

/** Another range is seen from its first row. */
const firstPage = { range: undefined, from: undefined, to: undefined, row: undefined };

const dayArgument = (name: string, title: string): Argument => ({
  name,
  title,
  free: wrongDay,
  choices: () => [],
});

export const range: readonly Command[] = [
  command({
    id: 'range.today',
    title: 'Show today',
    group: 'list',
    words: ['time', 'range', 'since', 'day'],
    when: onRange,
    run: (_given, _facts, tools) => tools.setQuery?.({ ...firstPage, range: 'today' }),
  }),
  command({
    id: 'range.week',
    title: 'Show the last 7 days',
    group: 'list',
    words: ['time', 'range', 'week'],
    when: onRange,
    run: (_given, _facts, tools) => tools.setQuery?.(firstPage),
  }),
  command({
    id: 'range.days',
    title: 'Show these days…',
    group: 'list',
    words: ['time', 'range', 'custom', 'from', 'to', 'between'],
    when: onRange,
    args: [dayArgument('first', 'First day'), dayArgument('last', 'Last day')],
    run: (given, _facts, tools) => {
      const [from, to] = [answer(given, 'first').value.trim(), answer(given, 'last').value.trim()];
      if (from > to) throw new Error('The last day is not before the first');
      tools.setQuery?.({ ...firstPage, from, to });
    },
  }),
];

// An answer as the lines that are shown of it.
import { shown } from './cells.ts';
import type { Answer } from './engine.ts';
import type { Screen } from './line-view.ts';
import type { PromptSettings } from './settings.ts';
import { aligned, vertical } from './tables.ts';

/** In columns where they fit, else a line for each value, as the settings say; then how many rows there are. */
export function answerLines(
  answer: Answer,
  { expanded, rows: most }: PromptSettings,
  { cols }: Screen,
): readonly string[] {
  const { columns, rows, hasMore, tag } = answer;
  if (columns.length === 0) return tag === '' ? [] : [shown(tag)];
  const table = expanded === 'on' ? null : aligned(answer);
  const isTable = table !== null && (expanded === 'off' || table.width <= cols);
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  const total = hasMore
    ? `(the first ${count}: there are more, ${rows.length < most ? 'too large to be shown' : 'see \\set rows'})`
    : `(${count})`;
  const isSelect = /^(SELECT|SHOW|EXPLAIN|FETCH|VALUES|TABLE)\b/.test(tag) || tag === '';
  return [...(isTable ? table.lines : vertical(answer, cols)), total, ...(isSelect ? [] : [tag])];
}

import type { ReactNode } from 'react';
import type { Ranges } from '../../../commands/rank.ts';

/** A title with its matched letters bold. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  if (ranges.length === 0) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(at, from), <b key={from}>{text.slice(from, to)}</b>);
    at = to;
  }
  return [...parts, text.slice(at)];
}

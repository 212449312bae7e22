// A value of JSON as the lines of a tree: what is open, and where the arrow keys go.

export interface JsonLine {
  /** Where it stands: the names from the root on, as JSON. */
  readonly id: string;
  readonly name: string;
  /** From 1. */
  readonly level: number;
  readonly value: unknown;
  /** It holds others: how many, in words. A branch without any is a leaf. */
  readonly holds?: string;
  readonly isOpen: boolean;
}

/** The lines that can be seen, from the top: those inside a closed one are left out. */
export function jsonLines(
  value: unknown,
  closed: ReadonlySet<string>,
  path: readonly string[] = [],
): readonly JsonLine[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name];
    const id = JSON.stringify(at);
    const size = typeof inner === 'object' && inner !== null ? Object.keys(inner).length : 0;
    const isOpen = size > 0 && !closed.has(id);
    const holds = size > 0 && `${size} ${Array.isArray(inner) ? 'item' : 'field'}${size === 1 ? '' : 's'}`;
    const line = { id, name, level: at.length, value: inner, isOpen, ...(holds && { holds }) };
    return isOpen ? [line, ...jsonLines(inner, closed, at)] : [line];
  });
}

/** What a key of a tree does at a line: the line to go to, or one to open or close; null: nothing. */
export function treeStep(
  lines: readonly JsonLine[],
  at: number,
  key: string,
): { readonly to: number } | { readonly toggle: string } | null {
  const line = lines[at];
  if (line === undefined) return null;
  const to = (index: number) => ({ to: Math.min(Math.max(index, 0), lines.length - 1) });
  if (key === 'ArrowDown') return to(at + 1);
  if (key === 'ArrowUp') return to(at - 1);
  if (key === 'Home') return to(0);
  if (key === 'End') return to(lines.length - 1);
  if (key === 'ArrowRight' && line.holds !== undefined) return line.isOpen ? to(at + 1) : { toggle: line.id };
  if (key !== 'ArrowLeft') return null;
  if (line.isOpen) return { toggle: line.id };
  const parent = lines.slice(0, at).findLastIndex(({ level }) => level < line.level);
  return parent < 0 ? null : to(parent);
}

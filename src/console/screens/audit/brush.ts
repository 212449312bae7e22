// What is chosen on the timeline: a cursor on a slice, and how far it was drawn from there.
export interface Brush {
  /** Slice where it began, and where it is. */
  readonly from: number;
  readonly at: number;
}
export const firstOf = ({ from, at }: Brush): number => Math.min(from, at);
export const lastOf = ({ from, at }: Brush): number => Math.max(from, at);

/** Where a key leads; null: the timeline does not hear it. */
export function moved({ from, at }: Brush, key: string, isDrawn: boolean, count: number): Brush | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - 10,
    PageDown: at + 10,
    Home: 0,
    End: count - 1,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = Math.max(0, Math.min(count - 1, step));
  return { from: isDrawn ? from : next, at: next };
}

/** First and last moment of slices, of a range that is cut into `count`. ISO 8601. */
export function timesOf(
  range: { readonly from: string; readonly to: string },
  brush: Brush,
  count: number,
): { readonly from: string; readonly to: string } {
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  const edge = (slice: number): string => new Date(from + ((to - from) * slice) / count).toISOString();
  return { from: edge(firstOf(brush)), to: edge(lastOf(brush) + 1) };
}

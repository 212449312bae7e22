// A line of the speed table: what was measured, beside a reference taken in the same run.

export interface Row {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  /** The native tool or the raw engine doing the same, in the same run. */
  readonly reference: string;
}

/** The p-th percentile (0 to 100) of some numbers; NaN for none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 50);

/** Runs once after so many milliseconds; the answer cancels it. */
export type After = (ms: number, run: () => void) => () => void;

// The row that a verb of the command line is: `--help`, parsing and errors are read from it.
import type { Gateway } from './machine/gateway.ts';

/** A flag of a verb. Absent `argument`: it stands alone. */
interface Flag {
  readonly name: string;
  readonly argument?: string;
  readonly help: string;
  readonly many?: true;
  readonly needed?: true;
}

/** What was typed after a verb. */
export interface Typed {
  readonly words: readonly string[];
  /** Values of a flag, in order; `['true']` for one that stands alone. */
  all(flag: string): readonly string[];
  one(flag: string): string | undefined;
  has(flag: string): boolean;
}

export interface Surface {
  print(text: string): void;
  /** Asks a yes-or-no question. Null: there is nobody to ask. */
  ask: ((question: string) => Promise<boolean>) | null;
  /** Aborted when the person wants a verb that goes on and on to end. */
  readonly ended?: AbortSignal;
}

export interface Verb {
  /** One or two words, such as `servers add`. */
  readonly verb: string;
  /** Words that follow it, as the help shows them: `[WORD]` may be left out, `WORD…` at the end stands for one or more. */
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
  readonly help: string;
  /** Throws UsageError, or Failure as the gateway answered it. */
  readonly run: (typed: Typed, gateway: Gateway, surface: Surface) => Promise<void>;
}

/** Something was typed that the command line cannot act on: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
/** The verb did its work and what it found is bad, or a person said no: exit code 1, and the text has been printed. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

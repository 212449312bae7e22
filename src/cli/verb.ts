// The row that a verb of the command line is: reading, help and completion are made from it.

/** A flag of a verb. Absent `argument`: it stands alone. */
export interface Flag {
  /** With its dashes. */
  readonly name: string;
  /** What follows it: a word in capitals, or the words there are between bars. */
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

/** What a verb may do to the terminal it runs in. */
export interface Surface {
  /** Lines of text; what a terminal would obey is taken out of them. */
  print(text: string): void;
  /** Asks a yes-or-no question. Null: there is nobody to ask. */
  ask: ((question: string) => Promise<boolean>) | null;
  /** Settles when the person wants a verb to end that goes on and on. Absent: nothing goes on and on here. */
  untilEnded?(): Promise<void>;
}

/** How a verb is written, and what it is for. */
export interface Usage {
  /** One or two words, such as `servers add`. */
  readonly verb: string;
  /** Words that follow it, as the help shows them: `[WORD]` may be left out, `WORD…` stands for one or more. */
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
  readonly help: string;
  /** The status to exit with when it fails; 1 unless said. */
  readonly failed?: number;
  /** What is missing is asked for, or taken from flags. */
  readonly asks?: true;
  /** For whoever has the gateway's own account on its machine, rather than for whoever is signed in. */
  readonly local?: true;
}

export interface Verb extends Usage {
  /** More lines of its help. Throws as run does. */
  readonly more?: (typed: Typed) => Promise<readonly string[]>;
  /** Answers the status to exit with. Throws UsageError, Refused, or the gateway's Failure or ApiError. */
  readonly run: (typed: Typed, surface: Surface) => Promise<number>;
}

/** Something was typed that the command line cannot act on: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
/** The verb did its work and what it found is bad, or a person said no. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** What to exit with; undefined: what the verb exits with when it fails. */
  readonly status: number | undefined;
  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

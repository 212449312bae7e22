// Bounds the work that evaluating what people wrote may take: their conditions run in the gateway's own threads, once for every
// resource of a list. Work is counted and charged before it is done, so that an answer does not depend on the machine's speed.

/** Work: comparisons and steps of a regular expression, and characters of texts that are made. */
export interface Work {
  readonly steps: number;
  readonly characters: number;
}

/** Thrown in place of work beyond the bound. Whoever asked must take the answer as undecided. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
  constructor() {
    super('this takes more work than a role may');
  }
}

export interface Budget {
  /** Charges steps that are about to be taken. Throws TooMuchWork. */
  steps(count: number): void;
  /** Charges characters that are about to be made; each is also a step. Throws TooMuchWork. */
  characters(count: number): void;
  /** Steps charged so far. */
  spent(): number;
}

/** What one condition may take on one resource. */
export const CONDITION_WORK: Work = { steps: 100_000, characters: 65_536 };
/** What filling in one person's traits may take for one side of a role. */
export const FILLING_WORK: Work = { steps: 2_000_000, characters: 1_000_000 };

export function createBudget(most: Work): Budget {
  let steps = 0;
  let characters = 0;
  // What is refused is not done, so it is not counted either: lighter work may still fit.
  const take = (count: number): void => {
    if (steps + count > most.steps) throw new TooMuchWork();
    steps += count;
  };
  return {
    steps: take,
    characters(count) {
      if (characters + count > most.characters) throw new TooMuchWork();
      take(count);
      characters += count;
    },
    spent: () => steps,
  };
}

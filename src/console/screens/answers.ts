// The last answers of lists: one that was open before shows its rows at once when it is opened again, while it asks anew.

/** Answers kept; the one not used for longest goes first. */
const ANSWERS_MOST = 40;

/** The answers of one list, by its question. */
export interface Answered<Answer> {
  readonly read: (question: string) => Answer | undefined;
  readonly keep: (question: string, answer: Answer) => void;
}
export interface Answers {
  readonly of: <Answer>(list: string) => Answered<Answer>;
  /** Something was changed: what was answered before may be wrong. */
  readonly forget: () => void;
}

/** In the memory of this page alone: signing out loads another page. */
export function createAnswers(): Answers {
  const answers = new Map<string, unknown>();
  return {
    of: <Answer>(list: string): Answered<Answer> => ({
      read: question => {
        const name = `${list} ${question}`;
        const answer = answers.get(name);
        if (answer !== undefined) {
          answers.delete(name);
          answers.set(name, answer);
        }
        return answer as Answer | undefined;
      },
      keep: (question, answer) => {
        const name = `${list} ${question}`;
        answers.delete(name);
        answers.set(name, answer);
        const [oldest] = answers.keys();
        if (answers.size > ANSWERS_MOST && oldest !== undefined) answers.delete(oldest);
      },
    }),
    forget: () => answers.clear(),
  };
}

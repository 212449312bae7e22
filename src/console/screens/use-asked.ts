import { useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../client/errors.ts';
import type { ApiError } from '../../contract/failure.ts';

/** What a page asks for once: its answer, or what went wrong, and asking again. Keep `ask` the same while the question is. */
export function useAsked<Answer>(ask: () => Promise<Answer>): {
  readonly answer: Answer | null;
  readonly error: ApiError | null;
  readonly again: () => void;
} {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is what asking again changes.
  useEffect(() => {
    let isGone = false;
    setError(null);
    ask().then(
      found => isGone || setAnswer(found),
      (failure: unknown) => isGone || setError(toApiError(failure)),
    );
    return () => {
      isGone = true;
    };
  }, [ask, asked]);
  return { answer, error, again: useCallback(() => setAsked(times => times + 1), []) };
}

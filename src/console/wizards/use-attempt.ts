import { useCallback, useState } from 'react';
import { toApiError } from '../../client/errors.ts';

/** Work that somebody waits for: `busy` while it runs, and `problem` is what it rejected with, in words, until the next try or `forget`. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const attempt = useCallback(async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(toApiError(error).message);
    }
    setBusy(false);
  }, []);
  const forget = useCallback(() => setProblem(''), []);
  return { busy, problem, attempt, forget };
}

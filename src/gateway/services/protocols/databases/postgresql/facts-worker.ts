// The thread in which long statements are read: some texts keep the grammar busy for longer than a keystroke may wait.
import { answerJobs } from '../../../answer-jobs.ts';
import { readFacts } from './read-facts.ts';

answerJobs(async (text: string) => {
  try {
    return { facts: readFacts(text) };
  } catch {
    // The next text is read by a new thread.
    process.exit(1);
  }
});

// The thread in which PostgreSQL's grammar reads statements: some texts keep it busy for longer than a keystroke may wait.
import { loadModule, parseSync, SqlError } from 'libpg-query';
import { answerJobs } from '../../../answer-jobs.ts';
import { factsOf } from './facts.ts';

const loaded = loadModule();
answerJobs(async (text: string) => {
  await loaded;
  try {
    return { facts: factsOf(parseSync(text).stmts?.map(({ stmt }) => stmt) ?? []) };
  } catch (error) {
    // After anything but a word about the statement, such as a stack that was too small, the module's memory may be in disorder: the next text
    // is read by a new thread.
    if (!(error instanceof SqlError)) process.exit(1);
    return { facts: null };
  }
});

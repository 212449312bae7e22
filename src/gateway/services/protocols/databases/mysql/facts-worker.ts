// The thread in which statements of MySQL are read.
import { answerJobs } from '../../../answer-jobs.ts';
import { readFacts } from './read-facts.ts';

answerJobs(async (text: string) => ({ facts: readFacts(text) }));

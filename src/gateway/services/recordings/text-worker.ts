// The thread of the text index, so that neither packing, reading words nor looking them up ever holds up a keystroke.
import { answerJobs } from '../answer-jobs.ts';
import { runTextJob } from './text-job.ts';

answerJobs(runTextJob);

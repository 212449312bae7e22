// The thread that indexes recordings, so that drawing an hour of output never holds up a keystroke.
import { answerJobs } from '../answer-jobs.ts';
import { openDrawing } from '../desktop-drawing/drawing.ts';
import type { IndexJob } from './index-job.ts';
import { runIndexJob } from './index-job.ts';
import { openScreen } from './screen.ts';

answerJobs((job: IndexJob) => runIndexJob(job, openScreen, protocol => openDrawing({ protocol })));

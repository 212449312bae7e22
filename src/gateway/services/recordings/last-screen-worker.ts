// The thread that draws the last screens of recordings.
import type { ScreenPicture } from '../../../contract/recordings.ts';
import type { Size } from '../../ports/shell.ts';
import { answerJobs } from '../answer-jobs.ts';
import type { LastScreenJob } from './last-screen.ts';
import { bytesOfFile } from './reader.ts';
import { openScreen } from './screen.ts';
import { boundedSize } from './terminal-index.ts';
import { eventsFrom } from './terminal-playback.ts';

type Step = Uint8Array | Size;

/** What follows the screen of the key frame, in order. */
async function* stepsOf(job: LastScreenJob): AsyncGenerator<Step> {
  if (job.kind === 'file') {
    for await (const event of eventsFrom(bytesOfFile(job.path), job.contents, job.from, undefined)) {
      if (event.kind === 'output') yield Uint8Array.from(event.bytes);
      else if (event.kind === 'resize') yield boundedSize(event.size);
    }
    return;
  }
  const printed = Buffer.from(job.segment.bytes, 'base64');
  let at = 0;
  for (const [, first, rows] of job.segment.prints) {
    if (rows !== undefined) yield boundedSize({ cols: first, rows });
    else {
      yield printed.subarray(at, at + first);
      at += first;
    }
  }
}

async function drawLastScreen(job: LastScreenJob): Promise<ScreenPicture> {
  const { cols, rows, screen } = job.kind === 'file' ? { ...job.from, screen: job.screen } : job.segment;
  const drawn = openScreen(boundedSize({ cols, rows }));
  try {
    await drawn.write(Buffer.from(screen));
    for await (const step of stepsOf(job)) {
      if (step instanceof Uint8Array) await drawn.write(step);
      else drawn.resize(step);
    }
    return drawn.picture();
  } finally {
    drawn.dispose();
  }
}

answerJobs(drawLastScreen);

// The thread that draws the last screens of recordings.
import type { ScreenPicture } from '../../../contract/recordings.ts';
import { answerJobs } from '../answer-jobs.ts';
import type { LastScreenJob } from './last-screen.ts';
import { openScreen } from './screen.ts';
import { boundedSize } from './terminal-index.ts';
import { eventsFrom } from './terminal-playback.ts';

async function drawLastScreen({ path, contents, from, screen }: LastScreenJob): Promise<ScreenPicture> {
  const drawn = openScreen(boundedSize(from));
  try {
    await drawn.write(Buffer.from(screen));
    for await (const event of eventsFrom(path, contents, from, undefined)) {
      if (event.kind === 'output') await drawn.write(Uint8Array.from(event.bytes));
      else if (event.kind === 'resize') drawn.resize(boundedSize(event.size));
    }
    return drawn.picture();
  } finally {
    drawn.dispose();
  }
}

answerJobs(drawLastScreen);

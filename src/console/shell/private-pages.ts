// The pages of someone who is signed in: their screens, and what the first of them is drawn with.
import { match } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { screens } from '../screens/index.ts';
import { lazyScreens } from '../screens/load-screen.ts';
import type { Boot } from './boot.ts';
import { consoleOf } from './console.ts';

/** Every page's screen, by feature id; routes that lead on have none. */
export const privatePages = lazyScreens(screens);

/** Rows that take longer than who is signed in are drawn later than the page around them, ms. */
const ROWS_MOST_MS = 50;

/** Fetches the screen of a path, who is signed in, and the first rows. What cannot be had says so when it is drawn. */
export async function preparePage(path: string, boot: Boot): Promise<void> {
  const id = match(path)?.id ?? 'root';
  // Home is the first page that the person reaches, which for nearly everyone is the first there is.
  const screen = privatePages[features[id].leads === 'home' ? 'nodes' : (features[id].leads ?? id)];
  const { ready, commanding } = consoleOf(boot);
  // Other pages than the first have buttons for what is known later.
  await Promise.allSettled([screen?.load(), ready, screen !== privatePages.nodes && commanding.loadAll()]);
  await Promise.race([boot.answered(), new Promise(done => setTimeout(done, ROWS_MOST_MS))]);
}

/** Fetches the files of pages that the person may go to next, one after the other. What cannot be had says so when someone goes there. */
export async function loadAhead(ids: readonly string[]): Promise<void> {
  for (const id of ids) await privatePages[id]?.load().catch(() => undefined);
}

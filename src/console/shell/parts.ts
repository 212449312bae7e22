// The console's files by page: what a path needs before it can be drawn.
import { match } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { type Load, loads } from '../screens/index.ts';
import { createPart, type Part } from '../ui/part.tsx';
import type { Boot } from './boot.ts';

const byLoad = new Map<Load, Part>();
function partOf(load: Load): Part {
  const part = byLoad.get(load) ?? createPart(async () => (await load()).default);
  byLoad.set(load, part);
  return part;
}

/** Every page's screen, by feature id; routes that lead on have none. Pages that share a screen share its part. */
export const screens: Readonly<Record<string, Part>> = Object.fromEntries(
  Object.entries(loads).map(([id, load]) => [id, partOf(load)]),
);

/** The first page that has the same screen: going from one such page to another keeps what it holds. */
export const screenKey = (id: string): string =>
  Object.keys(screens).find(other => screens[other] === screens[id]) ?? id;

/** The console around the pages of someone who is signed in. */
export const privatePart = createPart(async () => (await import('./Private.tsx')).Private);

/** Brings the files of pages that the person may go to next, one after the other. What cannot be had says so when someone goes there. */
export async function bringAhead(ids: readonly string[]): Promise<void> {
  for (const id of ids) await screens[id]?.bring().catch(() => undefined);
}

/** Rows that take longer than who is signed in are drawn later than the page around them, ms. */
const ROWS_MOST_MS = 50;

/** Brings what a path is drawn with, all at once: files, who is signed in, first rows. What cannot be had says so when it is drawn. */
export async function bringPage(path: string, boot: Boot): Promise<void> {
  const id = match(path)?.id ?? 'root';
  const isPublic = features[id].public === true;
  if (!isPublic && !boot.session.isValid()) return bringPage('/web/login', boot);
  // Home is the first page that the person reaches, which for nearly everyone is the first there is.
  const screen = screens[features[id].leads === 'home' ? 'nodes' : (features[id].leads ?? id)];
  await Promise.allSettled([screen?.bring(), isPublic ? undefined : bringPrivate(boot)]);
}

async function bringPrivate(boot: Boot): Promise<void> {
  const [{ consoleOf }] = await Promise.all([import('./console.ts'), privatePart.bring()]);
  await consoleOf(boot).ready;
  await Promise.race([boot.answered(), new Promise(done => setTimeout(done, ROWS_MOST_MS))]);
}

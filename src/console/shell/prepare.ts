// What the first page is drawn with, fetched before anything is drawn: then nothing on it has to wait for a file of its own.
import { match } from '../../features/paths.ts';
import { features } from '../../features/table.ts';
import { lazyScreens } from '../screens/load-screen.ts';
import { publicScreens } from '../screens/public.ts';
import { createLazy } from '../ui/lazy.tsx';
import type { Boot } from './boot.ts';

/** The screens that work signed out. */
export const publicPages = lazyScreens(publicScreens);

const loadPrivate = () => import('./Private.tsx');
/** The console around the pages of someone who is signed in. */
export const privateConsole = createLazy(async () => (await loadPrivate()).Private);

/** Fetches what a path is drawn with: files, who is signed in, first rows. What cannot be had says so when it is drawn. */
export async function prepare(path: string, boot: Boot): Promise<void> {
  const id = match(path)?.id ?? 'root';
  const isPrivate = features[id].public !== true && boot.session.isValid();
  const coming = isPrivate ? prepareConsole(path, boot) : publicPages[id]?.load();
  await Promise.allSettled([coming]);
}

async function prepareConsole(path: string, boot: Boot): Promise<void> {
  const [{ preparePage }] = await Promise.all([loadPrivate(), privateConsole.load()]);
  await preparePage(path, boot);
}

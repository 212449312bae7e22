// Which of the console's files a page is drawn with, named in the page itself so that the browser fetches them all at once.
import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import { match } from '../../features/paths.ts';
import { type FeatureId, features } from '../../features/table.ts';

/** Names that a build makes; anything else in the file is not put into a page. */
const file = z.string().check(z.regex(/^assets\/[\w.-]+\.(js|css|woff2)$/));
/** What the console's build writes beside its index.html: files around every signed-in page, and files by feature. */
const list = z.object({ console: z.array(file), screens: z.record(z.string(), z.array(file)) });
type List = z.infer<typeof list>;

const PREFIX = '/web/app/';

function link(name: string): string {
  const href = PREFIX + name;
  if (name.endsWith('.js')) return `<link rel="modulepreload" crossorigin href="${href}">`;
  if (name.endsWith('.css')) return `<link rel="preload" as="style" crossorigin href="${href}">`;
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}">`;
}

/** The files of a path: those of the login page for whoever has to go there first, of the first page for the root. */
function filesOf({ console, screens }: List, pathname: string, signedIn: boolean): readonly string[] {
  const id: FeatureId = match(pathname)?.id ?? 'root';
  const isPublic = features[id].public === true;
  if (!isPublic && !signedIn) return screens.login ?? [];
  const screen = screens[id === 'root' ? 'nodes' : id] ?? [];
  return isPublic ? screen : [...new Set([...console, ...screen])];
}

/** Link elements for a page's path. None when the build wrote no list; a list that changed is read again. Throws when it is not one. */
export function createPreloads(name: string): (pathname: string, signedIn: boolean) => Promise<readonly string[]> {
  let kept: { readonly changed: number; readonly list: List } | undefined;
  return async (pathname, signedIn) => {
    try {
      const { mtimeMs } = await stat(name);
      if (kept?.changed !== mtimeMs)
        kept = { changed: mtimeMs, list: z.parse(list, JSON.parse(await readFile(name, 'utf8'))) };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
    return filesOf(kept.list, pathname, signedIn).map(link);
  };
}

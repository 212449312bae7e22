// Which of the console's files a page is drawn with, named in the page itself so that the browser fetches them all at once.
import * as z from 'zod/mini';
import { signInForms } from '../../contract/sign-in-form.ts';
import { createBuiltFile } from './built-file.ts';
import type { PrerenderedForms } from './sign-in-html.ts';

/** Names that a build makes; anything else in the file is not put into a page. */
const file = z.string().check(z.regex(/^assets\/[\w.-]+\.(js|css|woff2)$/));
/**
 * What the console's build writes beside its index.html: files around every signed-in page, the pages by their path with `:name`
 * parameters, and the paths of the page for whoever is signed out and of the page that the root leads to.
 */
const list = z.object({
  console: z.array(file),
  pages: z.array(z.object({ path: z.string(), public: z.boolean(), files: z.array(file) })),
  login: z.string(),
  /** The sign-in page, as `Preloaded` has it. */
  signInHtml: z.partialRecord(z.enum(signInForms), z.string()),
  first: z.string(),
});
type List = z.infer<typeof list>;

const PREFIX = '/web/app/';

function link(name: string): string {
  const href = PREFIX + name;
  if (name.endsWith('.js')) return `<link rel="modulepreload" crossorigin href="${href}">`;
  // Nothing is drawn before these are here, and what is drawn later finds them in place.
  if (name.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="${href}">`;
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}">`;
}

/** `/web/cluster/:clusterId/nodes` as the expression that its addresses fit; `:name?` may be missing. */
const fits = (path: string, pathname: string): boolean =>
  new RegExp(`^${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`).test(pathname);

/** The files of a path: those of the login page for whoever has to go there first, of the first page for the root. */
function filesOf({ console, pages, login, first }: List, pathname: string, signedIn: boolean): readonly string[] {
  const at = (path: string) => pages.find(page => page.path === path)?.files ?? [];
  const page = pages.find(({ path }) => fits(path, pathname));
  if (page?.public) return page.files;
  return signedIn ? [...new Set([...console, ...(page?.files ?? at(first))])] : at(login);
}

/** What a page comes with. */
export interface Preloaded {
  /** Link elements for its files. */
  readonly links: readonly string[];
  /** The page itself as HTML where the build drew it. */
  readonly signInHtml?: PrerenderedForms;
}

/** What the page of a path comes with. Nothing when the build wrote no list; a list that changed is read again. Throws when it is not one. */
export function createPreloads(name: string): (pathname: string, signedIn: boolean) => Promise<Preloaded> {
  const built = createBuiltFile(name, text => z.parse(list, JSON.parse(text)));
  return async (pathname, signedIn) => {
    const found = await built();
    if (found === null) return { links: [] };
    const links = filesOf(found, pathname, signedIn).map(link);
    return !signedIn && fits(found.login, pathname) ? { links, signInHtml: found.signInHtml } : { links };
  };
}

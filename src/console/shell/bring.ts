// What the build puts around every `import()`: a part's styles first, then its script. In the place of Vite's own helper, most of which
// names scripts ahead, which our pages do themselves (`listPreloads` in vite.config.ts).

/** Styles that were asked for, by address. */
const styles = new Map<string, Promise<void>>();

function bringStyle(href: string): Promise<void> {
  const known = styles.get(href);
  if (known !== undefined) return known;
  const here = document.querySelector(`link[rel=stylesheet][href="${href}"]`) !== null;
  const coming = new Promise<void>((done, failed) => {
    if (here) return done();
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = href;
    link.onload = () => done();
    link.onerror = () => {
      // The next time it is wanted it is asked for again.
      styles.delete(href);
      link.remove();
      failed(new Error(`${href} could not be loaded`));
    };
    document.head.append(link);
  });
  styles.set(href, coming);
  return coming;
}

/** Says that a file could not be had, by the event that Vite names it with (preload-error.ts). Throws unless someone takes it on. */
function missing(error: unknown): never | undefined {
  const event = new Event('vite:preloadError', { cancelable: true });
  if (dispatchEvent(event)) throw error;
  return undefined;
}

/** Loads a part. `names`: its styles, as files of the build. */
export async function __vitePreload<Part>(
  load: () => Promise<Part>,
  names: readonly string[] = [],
): Promise<Part | undefined> {
  const settled = await Promise.allSettled(names.map(name => bringStyle(`/web/app/${name}`)));
  for (const one of settled) if (one.status === 'rejected') missing(one.reason);
  return load().catch(missing);
}

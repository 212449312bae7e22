// Style sheets of pages that could not be fetched. Vite asks for each one once (`preloadOnce`): without this, a page whose script comes at
// the second try would be drawn without its styles.

const missing = new Set<HTMLLinkElement>();

/** Hears of style sheets that fail. Their `error` does not bubble, and is heard on its way down. */
export function hearMissingStyles(target: Pick<Window, 'addEventListener'>): void {
  target.addEventListener(
    'error',
    ({ target: link }) => {
      if (link instanceof HTMLLinkElement && link.rel === 'stylesheet') missing.add(link);
    },
    true,
  );
}

/** Fetches again what failed, for everyone who asks meanwhile. Rejects when one still cannot be had. */
export async function fetchMissingStyles(): Promise<void> {
  if (missing.size > 0) fetching = Promise.all([...missing].map(fetchAgain));
  await fetching;
}
let fetching: Promise<unknown> = Promise.resolve();

function fetchAgain(failed: HTMLLinkElement): Promise<void> {
  missing.delete(failed);
  // A copy: what has failed is not asked for again, whatever is done to it.
  const again = failed.cloneNode() as HTMLLinkElement;
  return new Promise((done, fail) => {
    again.onload = () => done();
    again.onerror = () => fail(new Error(`The style sheet ${again.href} could not be loaded`));
    failed.replaceWith(again);
  });
}

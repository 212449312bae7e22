// The whole screen, with every key for the shell where the browser lets a page have them.

/** What browsers add to a page's navigator that can lock the keyboard. */
interface KeyboardLock {
  readonly keyboard?: { lock(): Promise<void>; unlock(): void };
}

/**
 * Goes to full screen and locks the keyboard, or back, however that is asked for. `told`: whether a page has keys that browsers otherwise keep,
 * such as Ctrl+W. `filled`: whether the screen is full.
 */
export function createFullScreen(
  page: Document | undefined,
  notify: (text: string) => void,
  told: (has: boolean) => void,
  filled: (isFull: boolean) => void,
) {
  const { keyboard } = (page?.defaultView?.navigator ?? {}) as KeyboardLock;
  page?.addEventListener('fullscreenchange', () => {
    if (page.fullscreenElement !== null) return;
    keyboard?.unlock();
    told(false);
    filled(false);
  });
  return async (): Promise<void> => {
    if (page === undefined) return;
    if (page.fullscreenElement !== null) return page.exitFullscreen();
    try {
      await page.documentElement.requestFullscreen();
    } catch {
      notify('The browser refused the full screen');
      return;
    }
    filled(true);
    // A browser may have the call and still give no keys.
    const has =
      (await keyboard?.lock().then(
        () => true,
        () => false,
      )) ?? false;
    // Who left the full screen meanwhile has given them back.
    if (page.fullscreenElement === null) return keyboard?.unlock();
    told(has);
    if (!has) notify('This browser keeps some keys for itself, also in full screen');
  };
}

// The rows in full are a file of their own in the console, which comes when the page has been painted or a command is first run that asks.
let coming: Promise<typeof import('./index.ts')> | undefined;

/** Brings them, once. Fails when the file cannot be had; the next call tries again. */
export function loadCommands(): Promise<typeof import('./index.ts')> {
  coming ??= import('./index.ts').catch((error: unknown) => {
    coming = undefined;
    throw error;
  });
  return coming;
}

// The person's own browser.
import { spawn } from 'node:child_process';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address as the desktop does, or in what the variable BROWSER names. Nothing happens where there is none. */
export function openBrowser(address: string): void {
  const named = process.env.BROWSER;
  const [program = '', ...words] = named ? [named] : (openers[process.platform] ?? ['xdg-open']);
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

// Loads the RDP engine, which several desktops of a page share. One that has died is not used again: another copy takes its place.

import type { RdpSession } from './rdp-core.ts';

export type Engine = typeof import('./rdp-core.ts');

let loaded: Promise<Engine> | null = null;
let address = '';
let deaths = 0;

/** Loads it, where there is none that lives. Throws where the page's policy does not let it run. */
export function loadEngine(): Promise<Engine> {
  loaded ??= copy().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}
async function copy(): Promise<Engine> {
  if (!mayRun()) throw new Error('This page may not draw RDP. Load it once more.');
  // Its own loader keeps the first instance for good, dead or not; the same file under another address has none yet.
  const engine =
    deaths === 0 || address === ''
      ? await import('./rdp-core.ts')
      : ((await import(/* @vite-ignore */ `${address}?again=${deaths}`)) as Engine);
  address ||= engine.address;
  await engine.begin();
  return engine;
}
/** The shortest module there is. */
function mayRun(): boolean {
  try {
    return new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}

const mourners = new Set<() => void>();
function hear(event: ErrorEvent | PromiseRejectionEvent): void {
  const why: unknown = 'reason' in event ? event.reason : event.error;
  if (!(why instanceof WebAssembly.RuntimeError) || loaded === null) return;
  loaded = null;
  deaths += 1;
  for (const run of [...mourners]) run();
}

/** Calls when the engine has died within a page: its promises never settle then. Answers how to stop listening. */
export function onEngineDeath(run: () => void): () => void {
  if (mourners.size === 0) {
    addEventListener('error', hear);
    addEventListener('unhandledrejection', hear);
  }
  mourners.add(run);
  return () => {
    mourners.delete(run);
    if (mourners.size > 0) return;
    removeEventListener('error', hear);
    removeEventListener('unhandledrejection', hear);
  };
}

/** Ends one. The engine throws where it has ended by itself, and what it throws is no error: there is nothing left to end then. */
export function endSession(session: RdpSession): void {
  try {
    session.shutdown();
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
  }
}

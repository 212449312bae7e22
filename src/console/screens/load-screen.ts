// How a page's screen is had, and what draws it.
import type { ComponentType } from 'react';
import { createLazy, type Lazy } from '../ui/lazy.tsx';

/** Loads a screen's file. */
export type LoadScreen = () => Promise<{ readonly default: ComponentType }>;

interface LazyScreen extends Lazy {
  /** The first feature that has this screen. */
  readonly key: string;
}

/** Screens by feature id. Pages that share one share its component: going from one to the other keeps what it holds. */
export function lazyScreens(loads: Readonly<Record<string, LoadScreen>>): Readonly<Record<string, LazyScreen>> {
  const byLoad = new Map<LoadScreen, LazyScreen>();
  for (const [key, load] of Object.entries(loads))
    if (!byLoad.has(load)) byLoad.set(load, { key, ...createLazy(async () => (await load()).default) });
  return Object.fromEntries(
    Object.entries(loads).flatMap(([id, load]) => {
      const screen = byLoad.get(load);
      return screen === undefined ? [] : [[id, screen]];
    }),
  );
}

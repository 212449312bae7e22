import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useReducer, useState } from 'react';
import type { EarlyKeys } from './early-keys.ts';
import { fetchMissingStyles } from './missing-styles.ts';
import { Spinner } from './Spinner.tsx';

/** A component whose files are fetched when it is first wanted. */
export interface Lazy<Props extends object = object> {
  /** Fetches it, once. Throws when its files cannot be had; the next call tries again. */
  readonly load: () => Promise<void>;
  /** Draws it, or what stands in its place until it is loaded. Throws what loading it threw. */
  readonly Component: ComponentType<Props>;
}

/** How keys wait for a dialog or a menu that is on its way. */
export const HoldKeysContext = createContext<EarlyKeys['hold']>(() => () => undefined);

/** Not React.lazy: React holds back for 300 ms what takes a fallback's place, and pages come faster than that. */
export function createLazy<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <Spinner />,
  takesKeys = false,
): Lazy<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= fetchMissingStyles()
      .then(fetchComponent)
      .then(
        component => {
          loaded = component;
        },
        (error: unknown) => {
          loading = undefined;
          throw error;
        },
      );
    return loading;
  };
  function Component(props: Props) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    const isLoaded = loaded !== undefined;
    const hold = useContext(HoldKeysContext);
    useEffect(() => (isLoaded || !takesKeys ? undefined : hold()), [isLoaded, hold]);
    useEffect(() => {
      if (isLoaded) return;
      let isGone = false;
      load().then(
        () => isGone || drawAgain(),
        (error: unknown) => isGone || setFailure({ error }),
      );
      return () => {
        isGone = true;
      };
    }, [isLoaded]);
    if (failure !== null) throw failure.error;
    const Loaded = loaded;
    return Loaded === undefined ? fallback : <Loaded {...props} />;
  }
  return { load, Component };
}

const awaited: Lazy<never>['load'][] = [];

/** A dialog or a menu, which takes the keys when it is drawn: those that are pressed while its files are fetched wait for it. */
export function createAwaited<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const { load, Component } = createLazy(fetchComponent, null, true);
  awaited.push(load);
  return Component;
}

/** Fetches them all before anyone wants one. What cannot be had says so when it is drawn. */
export async function loadAwaited(): Promise<void> {
  for (const load of awaited) await load().catch(() => undefined);
}

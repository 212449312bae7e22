import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';
import { Spinner } from './Spinner.tsx';

/** A component whose files are fetched when it is first wanted. */
export interface Lazy<Props extends object = object> {
  /** Fetches it, once. Throws when its files cannot be had; the next call tries again. */
  readonly load: () => Promise<void>;
  /** Draws it, or what stands in its place until it is loaded. Throws what loading it threw. */
  readonly Component: ComponentType<Props>;
}

/** Not React.lazy: React holds back for 300 ms what takes a fallback's place, and pages come faster than that. */
export function createLazy<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <Spinner />,
): Lazy<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= fetchComponent().then(
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

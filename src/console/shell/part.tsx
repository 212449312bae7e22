import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';
import { Spinner } from '../ui/Spinner.tsx';

/** A part of the console that comes when it is first wanted. */
export interface Part<Props extends object = object> {
  /** Brings it, once. Fails when its files cannot be had; the next call tries again. */
  readonly bring: () => Promise<void>;
  /** Draws it, or what waits in its place until it is here. Throws what bringing it threw. */
  readonly Draw: ComponentType<Props>;
}

/** Not React.lazy: React holds back for 300 ms what takes a fallback's place, and pages come faster than that. */
export function createPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Spinner />,
): Part<Props> {
  let found: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const bring = (): Promise<void> => {
    coming ??= load().then(
      component => {
        found = component;
      },
      (error: unknown) => {
        coming = undefined;
        throw error;
      },
    );
    return coming;
  };
  function Draw(props: Props) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    const isHere = found !== undefined;
    useEffect(() => {
      if (isHere) return;
      let gone = false;
      bring().then(
        () => gone || drawAgain(),
        (error: unknown) => gone || setFailure({ error }),
      );
      return () => {
        gone = true;
      };
    }, [isHere]);
    if (failure !== null) throw failure.error;
    const Found = found;
    return Found === undefined ? waiting : <Found {...props} />;
  }
  return { bring, Draw };
}

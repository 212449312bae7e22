import { type ComponentType, type ReactNode, useEffect, useReducer, useState } from 'react';
import { Spinner } from './Spinner.tsx';

/** A part of the console that comes when it is first wanted. */
export interface Part<Props extends object = object> {
  /** Brings it, once. Fails when its files cannot be had; the next call tries again. */
  readonly bring: () => Promise<void>;
  readonly isHere: () => boolean;
  /** Draws it, or what waits in its place until it is here. Throws what bringing it threw. */
  readonly Draw: ComponentType<Props & { readonly waiting?: ReactNode }>;
}

/** Not React.lazy: React holds back for 300 ms what takes a fallback's place, and pages come faster than that. */
export function createPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <Spinner />,
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
  const isHere = (): boolean => found !== undefined;
  function Draw({ waiting = fallback, ...props }: Props & { readonly waiting?: ReactNode }) {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    const isFound = isHere();
    useEffect(() => {
      if (isFound) return;
      let gone = false;
      bring().then(
        () => gone || drawAgain(),
        (error: unknown) => gone || setFailure({ error }),
      );
      return () => {
        gone = true;
      };
    }, [isFound]);
    if (failure !== null) throw failure.error;
    const Found = found;
    return Found === undefined ? waiting : <Found {...(props as unknown as Props)} />;
  }
  return { bring, isHere, Draw };
}

const aheads: Pick<Part, 'bring'>[] = [];

/** A part that someone who looks at the page may want at the next key: it comes as soon as the page stands. */
export function createPartAhead<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): Part<Props> {
  const part = createPart(load, fallback);
  aheads.push(part);
  return part;
}

/** Brings such parts, one after the other. What cannot be had says so when it is drawn. */
export async function bringParts(): Promise<void> {
  for (const part of aheads) await part.bring().catch(() => undefined);
}

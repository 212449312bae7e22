import { type RefObject, useEffect, useRef, useState } from 'react';

/** A tab counts as seen when this much of it is in view: the edge of a pixel may be cut off. */
const SEEN_SHARE = 0.98;

/** Keeps the tab in front in view, and says which ones are not: those a menu has to offer. */
export function useHiddenTabs(
  count: number,
  current: string,
): { readonly list: RefObject<HTMLDivElement | null>; readonly hidden: readonly string[] } {
  const list = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `count` says that tabs came or went
  useEffect(() => {
    const root = list.current;
    if (root === null) return;
    const shares = new Map<Element, number>();
    const seen = new IntersectionObserver(
      entries => {
        for (const { target, intersectionRatio } of entries) shares.set(target, intersectionRatio);
        setHidden(
          [...root.querySelectorAll<HTMLElement>('[data-tab]')]
            .filter(tab => (shares.get(tab) ?? 1) < SEEN_SHARE)
            .map(tab => tab.dataset.tab ?? ''),
        );
      },
      { root, threshold: [0, SEEN_SHARE, 1] },
    );
    for (const tab of root.querySelectorAll('[data-tab]')) seen.observe(tab);
    return () => seen.disconnect();
  }, [count]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more tabs, another one in front, or a narrower bar may push it out
  useEffect(() => {
    const root = list.current;
    if (root === null) return;
    const show = (): void =>
      root.querySelector(`[data-tab="${current}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    const resized = new ResizeObserver(show);
    resized.observe(root);
    return () => resized.disconnect();
  }, [count, current]);

  return { list, hidden };
}

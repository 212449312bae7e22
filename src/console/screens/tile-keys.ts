// How keys go among tiles.
import type { KeyboardEvent } from 'react';

/** Arrows, Home and End among the cards, by where they stand. */
export function stepThrough(event: KeyboardEvent<HTMLUListElement>): void {
  const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')];
  const at = cards.indexOf(event.target as HTMLElement);
  const top = cards[0]?.getBoundingClientRect().top;
  const columns = cards.filter(card => card.getBoundingClientRect().top === top).length;
  const to = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: cards.length - 1,
  }[event.key];
  if (to === undefined || at === -1) return;
  const card = cards[Math.min(Math.max(to, 0), cards.length - 1)];
  event.preventDefault();
  event.stopPropagation();
  card?.focus();
}

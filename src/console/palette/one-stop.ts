/**
 * Makes the buttons of a long list one stop of Tab: it comes to the button that had the focus last, arrows go up and down the rows and
 * along a row, Home and End to the first and last row (roving tabindex, ARIA Authoring Practices). Buttons may come and go. Answers how to stop.
 */
export function holdOneStop(list: HTMLElement): () => void {
  let stop: HTMLButtonElement | undefined;
  const buttonsOf = (element: Element): HTMLButtonElement[] => [...element.querySelectorAll('button')];
  const rows = (): HTMLButtonElement[][] =>
    [...list.querySelectorAll('li')].map(buttonsOf).filter(buttons => buttons.length > 0);
  const update = (): void => {
    const buttons = buttonsOf(list);
    if (stop === undefined || !buttons.includes(stop)) [stop] = buttons;
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLButtonElement)) return;
    if (stop) stop.tabIndex = -1;
    stop = target;
    stop.tabIndex = 0;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const all = rows();
    const row = all.findIndex(buttons => buttons.includes(event.target as HTMLButtonElement));
    const at = all[row]?.indexOf(event.target as HTMLButtonElement) ?? -1;
    if (at < 0) return;
    const inRow = (index: number): HTMLButtonElement | undefined => {
      const buttons = all[Math.max(0, Math.min(all.length - 1, index))] ?? [];
      return buttons[Math.min(at, buttons.length - 1)];
    };
    const to = {
      ArrowDown: () => inRow(row + 1),
      ArrowUp: () => inRow(row - 1),
      Home: () => inRow(0),
      End: () => inRow(all.length - 1),
      ArrowRight: () => all[row]?.[at + 1],
      ArrowLeft: () => all[row]?.[at - 1],
    }[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    to()?.focus();
  };
  const changes = new MutationObserver(update);
  changes.observe(list, { childList: true, subtree: true });
  list.addEventListener('focusin', onFocus);
  list.addEventListener('keydown', onKey);
  update();
  return () => {
    changes.disconnect();
    list.removeEventListener('focusin', onFocus);
    list.removeEventListener('keydown', onKey);
  };
}

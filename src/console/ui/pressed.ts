/** Presses a button for a command: it comes into view first, since what it opens is drawn beside it. Without one nothing happens. */
export function pressed(button: HTMLElement | null): void {
  button?.focus();
  button?.click();
}

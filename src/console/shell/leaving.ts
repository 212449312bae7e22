// The leave-page prompt: a page with unsaved work is left only after a yes (specification section 2).

export interface LeavingPorts {
  /** Asks the person. */
  readonly ask: (text: string) => Promise<boolean>;
}

/** Guards that pages put up while they hold something unsaved. */
export function createLeaving() {
  let guards: readonly { readonly text: string }[] = [];
  let ask: LeavingPorts['ask'] = () => Promise.resolve(true);
  return {
    /** Who asks, once there is a console to ask in. */
    askWith: (next: LeavingPorts['ask']): void => {
      ask = next;
    },
    /** Puts a guard up; the answer takes it down. */
    guard: (text: string): (() => void) => {
      const mine = { text };
      guards = [...guards, mine];
      return () => {
        guards = guards.filter(one => one !== mine);
      };
    },
    isGuarded: (): boolean => guards.length > 0,
    /** Goes at once, or after a yes. After a yes the guards are down: what they kept is given up. */
    pass: (go: () => void): void => {
      const last = guards.at(-1);
      if (last === undefined) {
        go();
        return;
      }
      void ask(last.text).then(yes => {
        if (!yes) return;
        guards = [];
        go();
      });
    },
    /** Takes all guards down: the session is over, and nothing can be saved any more. */
    giveUp: (): void => {
      guards = [];
    },
  };
}

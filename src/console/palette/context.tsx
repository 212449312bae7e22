// How screens reach the command surface: one context, given by the shell.
import { createContext, useContext, useSyncExternalStore } from 'react';
import { useSnapshot } from 'valtio';
import type { Facts, Registry } from '../../../commands/command.ts';
import type { Commanding } from './commanding.ts';

export const CommandingContext = createContext<Commanding | null>(null);

/** The command surface. Throws outside the shell's provider, which is a mistake in the console. */
export function useCommanding(): Commanding {
  const commanding = useContext(CommandingContext);
  if (commanding === null) throw new Error('There is no command surface around this component');
  return commanding;
}

/** The rows that the console knows by now; drawn anew when it knows the others. */
export function useRegistry(): Registry {
  const { keymap, registry } = useCommanding();
  void useSnapshot(keymap.state).version;
  return registry();
}

/** One value read from the facts; drawn anew only when that value changes. Answer a text, number or boolean, not a new object. */
export function useFact<Value extends string | number | boolean | null | undefined>(
  read: (facts: Facts) => Value,
): Value {
  const { drawn } = useCommanding();
  return useSyncExternalStore(drawn.on, () => read(drawn.facts()));
}

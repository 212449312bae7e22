// The gate of one command where it is drawn: the same for a button, a menu entry and the palette.
import type { Given, Thing } from '../../../commands/command.ts';
import { useCommanding, useFact, useRegistry } from './context.tsx';

export interface Gate {
  readonly title: string;
  readonly hidden: boolean;
  /** Why it cannot be run now. */
  readonly refused: string | undefined;
  readonly keys: string | undefined;
  readonly destructive: boolean;
  readonly run: () => void;
  /** Says the command's key, once, to whoever used the mouse for it. */
  readonly teach: () => void;
}

/**
 * What a button or menu entry for a command needs. `things` answer its questions of their kind; `given` answers by name; `closed`: why it
 * cannot be done with these, whoever asks.
 */
export function useGate(id: string, things: readonly Thing[] = [], given: Given = {}, closed?: string): Gate {
  const commanding = useCommanding();
  const command = useRegistry().byId(id);
  if (command === undefined && commanding.isWhole()) throw new Error(`There is no command ${id}`);
  const hidden = useFact(facts => command === undefined || (command.when !== undefined && !command.when(facts)));
  const refused = useFact(facts => command?.blocked?.(facts)) ?? closed;
  const keys = commanding.keymap.keysOf(id);
  return {
    title: command?.title ?? '',
    hidden,
    refused,
    keys,
    destructive: command?.destructive === true,
    teach: () => commanding.teach(id),
    run: () => (closed === undefined ? commanding.run(id, given, things) : commanding.tools().notify(closed)),
  };
}

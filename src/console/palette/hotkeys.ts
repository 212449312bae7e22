// The only importer of hotkeys-js, which does the listening and nothing else: it has one scope and no sequences, and by itself ignores
// the field that a terminal types in.
import hotkeys from 'hotkeys-js';

/** Hands every key to `take`, which says whether it has used it, before any part of the page hears it; until the answer is called. */
export function hearAll(take: (event: KeyboardEvent) => boolean): () => void {
  // hotkeys-js keeps a key that was answered with false from everyone else.
  const handle = (event: KeyboardEvent): boolean => !take(event);
  const before = hotkeys.filter;
  hotkeys.filter = () => true;
  hotkeys('*', { capture: true }, handle);
  return () => {
    hotkeys.unbind('*', 'all', handle);
    hotkeys.filter = before;
  };
}

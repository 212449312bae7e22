// Brings the searches of find.ts when something is first looked for: the console's first page does without them.
import type * as Find from './find.ts';

let here: typeof Find | undefined;

/** The searches; at once when they are here already. */
export function loadFind(): typeof Find | Promise<typeof Find> {
  return (
    here ??
    import('./find.ts').then(found => {
      here = found;
      return found;
    })
  );
}

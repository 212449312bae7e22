// What was used lately, most recent first and as often as it was: commands, things and answers. Kept with the person's preferences.

/** Entries kept, and characters of one (contract/preferences console.recent). */
export const RECENT_MOST = 100;
const KEY_MOST_CHARACTERS = 255;

export interface RecentsPort {
  read(): readonly string[];
  write(recent: readonly string[]): void;
  /** Settles when the gateway has said what else was used; undefined when it has. Absent: all is here from the start. */
  readonly arrival?: () => Promise<void> | undefined;
}

const trimmed = (key: string): string => key.slice(0, KEY_MOST_CHARACTERS);

/** Uses of one thing that are remembered: those of a favourite must not push everything else out. */
const SAME_MOST = 4;
/** After this many uses of other things, one counts half as much. */
const HALF_AFTER = 12;

/** Places by how much each was used, of late and often: every use counts, the older the less. */
function placesOf(uses: readonly string[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const [at, key] of uses.entries()) scores.set(key, (scores.get(key) ?? 0) + 2 ** (-at / HALF_AFTER));
  const ordered = [...scores].sort(([, a], [, b]) => b - a);
  return new Map(ordered.map(([key], place): [string, number] => [key, place]));
}

/** What one person used. */
export function createRecents(port: RecentsPort) {
  let places: ReadonlyMap<string, number> = new Map();
  let from: readonly string[] | undefined;
  /** Read again only when the preferences hold another list. */
  function current(): ReadonlyMap<string, number> {
    const kept = port.read();
    if (kept !== from) {
      from = kept;
      places = placesOf(kept);
    }
    return places;
  }
  return {
    /** Settles when everything that was used is known; undefined when it is. */
    arrival: () => port.arrival?.(),
    /** Writes down a use of each key, the last of them foremost. */
    use(...keys: readonly string[]): void {
      const counts = new Map<string, number>();
      const uses = [...new Set(keys.map(trimmed).reverse()), ...port.read()].filter(key => {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return count <= SAME_MOST;
      });
      port.write(uses.slice(0, RECENT_MOST));
    },
    /** 0 = used most; undefined = not lately. */
    recencyOf: (key: string): number | undefined => current().get(trimmed(key)),
    /** Keys that begin so, last used first. */
    last: (prefix: string): readonly string[] => [...new Set(port.read())].filter(key => key.startsWith(prefix)),
  };
}
export type Recents = ReturnType<typeof createRecents>;

/** Names of recent entries. */
export const recentCommand = (id: string): string => `command ${id}`;
export const recentThing = (kind: string, id: string): string => `${kind} ${id}`;
/** An answer is remembered per question and per what was answered before it: the login last used on this server, not on any. */
export const recentAnswer = (commandId: string, name: string, before: readonly string[], value: string): string =>
  ['answer', commandId, name, ...before, value].join(' ');

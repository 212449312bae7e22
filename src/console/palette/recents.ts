// What was used lately, most recent first: commands, things and answers. Kept with the person's preferences.

/** Entries kept, and characters of one (contract/preferences console.recent). */
export const RECENT_MOST = 100;
const KEY_MOST_CHARACTERS = 255;

export interface RecentsPort {
  read(): readonly string[];
  write(recent: readonly string[]): void;
}

const trimmed = (key: string): string => key.slice(0, KEY_MOST_CHARACTERS);

/** The recent things of one person. */
export function createRecents(port: RecentsPort) {
  let places: ReadonlyMap<string, number> = new Map();
  let from: readonly string[] | undefined;
  /** Read again only when the preferences hold another list. */
  function current(): ReadonlyMap<string, number> {
    const kept = port.read();
    if (kept !== from) {
      from = kept;
      places = new Map([...kept].map((key, place): [string, number] => [key, place]).reverse());
    }
    return places;
  }
  return {
    /** Puts keys first, the last of them foremost. */
    use(...keys: readonly string[]): void {
      const added = [...new Set(keys.map(trimmed).reverse())];
      port.write([...added, ...port.read().filter(key => !added.includes(key))].slice(0, RECENT_MOST));
    },
    /** 0 = used last; undefined = not lately. */
    recencyOf: (key: string): number | undefined => current().get(trimmed(key)),
  };
}
export type Recents = ReturnType<typeof createRecents>;

/** Names of recent entries. */
export const recentCommand = (id: string): string => `command ${id}`;
export const recentThing = (kind: string, id: string): string => `${kind} ${id}`;
/** An answer is remembered per question and per what was answered before it: the login last used on this server, not on any. */
export const recentAnswer = (commandId: string, name: string, before: readonly string[], value: string): string =>
  ['answer', commandId, name, ...before, value].join(' ');

// What each person typed at each database's prompt, kept at the gateway: theirs alone, sealed, and no more than a shell would keep.
import type { Settings } from '../../../../store/store.ts';

/** Statements of one person and database, and their characters together. */
const STATEMENTS_MOST = 500;
const CHARACTERS_MOST = 64 * 1024;

export interface PromptHistory {
  /** The oldest first. */
  load(): Promise<readonly string[]>;
  add(statement: string): Promise<void>;
}
/** Seals and opens texts with the gateway's own key. */
export interface Seal {
  seal(text: string, place: string): Promise<string>;
  open(sealed: string, place: string): string;
}

export function createPromptHistory(
  { settings, secrets }: { readonly settings: Pick<Settings, 'get' | 'put'>; readonly secrets: Seal },
  whose: { readonly userId: string; readonly database: string },
): PromptHistory {
  const place = `prompt_history.${whose.userId}.${whose.database}`;
  async function load(): Promise<readonly string[]> {
    const kept = await settings.get(place);
    try {
      const read: unknown = typeof kept === 'string' ? JSON.parse(secrets.open(kept, place)) : [];
      return Array.isArray(read) ? read.filter(one => typeof one === 'string') : [];
    } catch {
      // Sealed with a key that the gateway has no more: it begins anew.
      return [];
    }
  }
  /** One at a time; one that failed is no reason for the next to. */
  let adding: Promise<unknown> = Promise.resolve();
  return {
    load,
    add(statement) {
      const added = adding.then(async () => {
        const next = [...(await load()).filter(one => one !== statement), statement].slice(-STATEMENTS_MOST);
        let characters = next.reduce((sum, one) => sum + one.length, 0);
        while (characters > CHARACTERS_MOST) characters -= next.shift()?.length ?? characters;
        await settings.put(place, await secrets.seal(JSON.stringify(next), place));
      });
      adding = added.catch(() => undefined);
      return added;
    },
  };
}

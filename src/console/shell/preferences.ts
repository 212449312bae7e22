// A person's preferences: from the gateway, kept in this browser, shared by its tabs (specification section 4).
import { proxy } from 'valtio/vanilla';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema, THEMES } from '../../contract/preferences.ts';
import { type KeyValueStorage, keys, readJson, writeJson } from './storage.ts';
import { deprecatedTheme, storedTheme } from './stored-theme.ts';

export interface PreferencesPorts {
  readonly storage: KeyValueStorage;
  readonly load: () => Promise<Preferences>;
  readonly save: (preferences: Preferences) => Promise<unknown>;
  readonly onStorage: (listener: (key: string | null, value: string | null) => void) => () => void;
  /** Saying that a choice could not be kept at the gateway. */
  readonly failed: (text: string) => void;
}

export interface PreferencesStore {
  readonly state: { status: 'initial' | 'processing' | 'loaded'; chosen: Preferences };
  readonly load: () => Promise<void>;
  /** Changes some of them: here at once, then in the other tabs and at the gateway. Says whether the gateway has them. */
  readonly change: (changed: Partial<Preferences>) => Promise<boolean>;
  readonly open: () => () => void;
}

/** The preferences as far as this browser knows them, before and without the gateway. */
export function storedPreferences(storage: KeyValueStorage): Preferences {
  const stored = z.safeParse(schema, readJson(storage, keys.preferences) ?? {});
  return { ...(stored.success ? stored.data : z.parse(schema, {})), theme: storedTheme(storage) };
}

/** What was agreed on before a choice that has not reached the gateway, such as one of a page that was left at once; undefined without one. */
function storedAgreed(storage: KeyValueStorage): Preferences | undefined {
  const stored = z.safeParse(schema, readJson(storage, keys.agreedPreferences));
  return stored.success ? stored.data : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was changed here since `before`, on top of what the gateway says now, so that neither side's choices are lost. */
function merged(before: unknown, mine: unknown, theirs: unknown): unknown {
  if (!isRecord(before) || !isRecord(mine) || !isRecord(theirs))
    return JSON.stringify(before) === JSON.stringify(mine) ? theirs : mine;
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const entries = names.map(name => [name, merged(before[name], mine[name], theirs[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export function createPreferences(ports: PreferencesPorts): PreferencesStore {
  const { storage } = ports;
  const state = proxy<PreferencesStore['state']>({ status: 'initial', chosen: storedPreferences(storage) });
  /** What this browser and the gateway last agreed on; before it has answered, what this browser began with. */
  let agreed = storedAgreed(storage) ?? plain(state.chosen);
  let isLoaded = false;
  let saving: Promise<boolean> = Promise.resolve(true);

  const failed = (error: unknown): void =>
    ports.failed(`The choice is kept in this browser only: ${error instanceof Error ? error.message : 'no answer'}`);
  /** Both have this now; it is remembered while something else was chosen here since. */
  const agree = (now: Preferences): void => {
    agreed = now;
    if (JSON.stringify(now) === JSON.stringify(plain(state.chosen))) storage.removeItem(keys.agreedPreferences);
    else writeJson(storage, keys.agreedPreferences, now);
  };
  const save = (chosen: Preferences): Promise<boolean> => {
    // One after the other, so that an older choice never lands on a newer one.
    saving = saving
      .then(() => ports.save(chosen))
      .then(
        () => {
          agree(chosen);
          // The gateway has a theme of this person's choice now: what an older version kept no longer counts.
          storage.removeItem(keys.theme);
          return true;
        },
        (error: unknown) => {
          failed(error);
          return false;
        },
      );
    return saving;
  };

  let loading: Promise<void> | undefined;
  /** Asks the gateway; whoever asks while it is being asked waits for the same answer. */
  const load = (): Promise<void> => {
    loading ??= ask().finally(() => {
      loading = undefined;
    });
    return loading;
  };
  const ask = async (): Promise<void> => {
    state.status = 'processing';
    try {
      const answer = await ports.load();
      isLoaded = true;
      const old = deprecatedTheme(storage);
      const theirs = old !== undefined && old !== THEMES.light ? { ...answer, theme: old } : answer;
      const chosen = merged(agreed, plain(state.chosen), theirs) as Preferences;
      state.chosen = chosen;
      agree(answer);
      writeJson(storage, keys.preferences, chosen);
      if (JSON.stringify(chosen) !== JSON.stringify(answer)) void save(chosen);
      else storage.removeItem(keys.theme);
    } catch (error) {
      // Silent by the specification: what this browser kept is good enough, unless a choice waits to be saved.
      if (JSON.stringify(agreed) !== JSON.stringify(plain(state.chosen))) failed(error);
    }
    state.status = 'loaded';
  };

  const change: PreferencesStore['change'] = async changed => {
    state.chosen = { ...state.chosen, ...changed };
    const chosen = plain(state.chosen);
    agree(agreed);
    writeJson(storage, keys.preferences, chosen);
    if (isLoaded) return save(chosen);
    // A browser that has not heard from the gateway must not write over what is kept there: loading merges, then saves.
    await load();
    return isLoaded && saving;
  };

  const open = (): (() => void) =>
    ports.onStorage(key => {
      if (key === keys.preferences) state.chosen = storedPreferences(storage);
    });

  return { state, load, change, open };
}

/** A copy without the proxy, for JSON and for the wire. */
const plain = (chosen: Preferences): Preferences => JSON.parse(JSON.stringify(chosen)) as Preferences;

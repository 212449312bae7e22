// A person's preferences: from the gateway, kept in this browser, shared by its tabs (specification section 4).
import { proxy } from 'valtio/vanilla';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema, THEMES } from '../../contract/preferences.ts';
import { deprecatedTheme } from './kept-theme.ts';
import { type Kept, keys, readJson, writeJson } from './storage.ts';

export interface PreferencesPorts {
  readonly storage: Kept;
  readonly load: () => Promise<Preferences>;
  readonly save: (preferences: Preferences) => Promise<unknown>;
  readonly onStorage: (heard: (key: string | null, value: string | null) => void) => () => void;
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
export function keptPreferences(storage: Kept): Preferences {
  const kept = z.safeParse(schema, readJson(storage, keys.preferences) ?? {});
  if (kept.success && storage.getItem(keys.preferences) !== null) return kept.data;
  const defaults = z.parse(schema, {});
  return { ...defaults, theme: deprecatedTheme(storage) ?? defaults.theme };
}

export function createPreferences(ports: PreferencesPorts): PreferencesStore {
  const { storage } = ports;
  const state = proxy<PreferencesStore['state']>({ status: 'initial', chosen: keptPreferences(storage) });
  /** A choice made while loading must not be undone by the late answer. */
  let changes = 0;
  let saving: Promise<boolean> = Promise.resolve(true);

  const save = (chosen: Preferences): Promise<boolean> => {
    writeJson(storage, keys.preferences, chosen);
    // One after the other, so that an older choice never lands on a newer one.
    saving = saving
      .then(() => ports.save(chosen))
      .then(
        () => true,
        (error: unknown) => {
          ports.failed(
            `The choice is kept in this browser only: ${error instanceof Error ? error.message : 'no answer'}`,
          );
          return false;
        },
      );
    return saving;
  };

  const load = async (): Promise<void> => {
    state.status = 'processing';
    const before = changes;
    try {
      const chosen = await ports.load();
      if (before === changes) {
        const old = deprecatedTheme(storage);
        const migrates = old !== undefined && old !== THEMES.light && old !== chosen.theme;
        state.chosen = migrates ? { ...chosen, theme: old } : chosen;
        if (migrates) void save(state.chosen);
        else writeJson(storage, keys.preferences, chosen);
        storage.removeItem(keys.theme);
      }
    } catch {
      // Silent by the specification: what this browser kept is good enough.
      if (before === changes) state.chosen = keptPreferences(storage);
    }
    state.status = 'loaded';
  };

  const change: PreferencesStore['change'] = changed => {
    changes += 1;
    state.chosen = { ...state.chosen, ...changed };
    return save(plain(state.chosen));
  };

  const open = (): (() => void) =>
    ports.onStorage(key => {
      if (key === keys.preferences) state.chosen = keptPreferences(storage);
    });

  return { state, load, change, open };
}

/** A copy without the proxy, for JSON and for the wire. */
const plain = (chosen: Preferences): Preferences => JSON.parse(JSON.stringify(chosen)) as Preferences;

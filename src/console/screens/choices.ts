// A person's choices about lists, as a screen reads and changes them.
import { useSnapshot } from 'valtio';
import { proxy } from 'valtio/vanilla';
import * as z from 'zod/mini';
import { type Preferences, preferences as schema } from '../../contract/preferences.ts';
import { usePage } from './page.tsx';

type Choices = Preferences['console'];
const nobody = proxy({ chosen: z.parse(schema, {}) });

/** The choices now, and changing some of them: here at once, then in the other tabs and at the gateway. */
export function useChoices(): { readonly choices: Choices; readonly choose: (changed: Partial<Choices>) => void } {
  const { preferences } = usePage();
  const choices = useSnapshot(preferences?.state ?? nobody).chosen.console as Choices;
  return {
    choices,
    choose: changed => preferences?.change({ console: { ...preferences.state.chosen.console, ...changed } }),
  };
}

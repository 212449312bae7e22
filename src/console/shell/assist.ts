// The assistant as the frame knows it: whether its panel is shown, and what is to be explained. All else of it is fetched when it is wanted.
import { proxy } from 'valtio/vanilla';
import type { AssistAct } from '../../../commands/command.ts';
import type { AssistActParts } from '../screens/assist/acts.ts';
import { keys } from './storage.ts';

/** Kept in the browser: '1' it is shown, '0' it was closed; absent: nobody has opened or closed it. */
const kept = localStorage.getItem(keys.showAssist);
export const assistShown = proxy<{ shown: 'teaser' | 'open' | 'closed'; isAsked: boolean; explain: string | null }>({
  shown: kept === null ? 'teaser' : kept === '1' ? 'open' : 'closed',
  isAsked: false,
  explain: null,
});

export function showAssist(shown: 'open' | 'closed'): void {
  assistShown.shown = shown;
  assistShown.isAsked = true;
  localStorage.setItem(keys.showAssist, shown === 'open' ? '1' : '0');
}

/** What commands do with it. */
export async function actAssist(act: AssistAct, parts: AssistActParts): Promise<void> {
  if (act.kind === 'toggle') return showAssist(assistShown.shown === 'open' ? 'closed' : 'open');
  const { actOf } = await import('../screens/assist/acts.ts');
  assistShown.explain = (await actOf(act, parts)) ?? null;
}

import { createAwaited } from '../../ui/lazy.tsx';

/** The form of a bot, which comes when one is made. */
export const BotDialog = createAwaited(async () => (await import('./BotDialog.tsx')).BotDialog);

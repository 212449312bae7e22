import { createAwaited } from '../../ui/lazy.tsx';

/** The form of a list, which comes when one is written. */
export const ListDialog = createAwaited(async () => (await import('./ListDialog.tsx')).ListDialog);

import { useEffect, useState } from 'react';
import { holdKeysUntil } from './held-keys.ts';
import type { MenuPopupProps } from './MenuPopup.tsx';
import { createPartAhead, type Part } from './part.tsx';

const popup = createPartAhead(async () => (await import('./MenuPopup.tsx')).MenuPopup);

export interface PopupProps extends MenuPopupProps {
  /** A part that fills it: nothing shows before it is here, since the keys go to its first entry. */
  readonly holds?: Pick<Part, 'bring' | 'isHere'> | undefined;
}

/** Brings a popup, for when someone comes near. The click that follows says what went wrong. */
export async function bringPopup(holds?: PopupProps['holds']): Promise<void> {
  await Promise.allSettled([popup.bring(), holds?.bring()]);
}

/** The popup of a menu. Until its files are here, keys are kept for it. */
export function Popup({ holds, ...props }: PopupProps) {
  const { onClose } = props;
  const [isHere, setHere] = useState(() => popup.isHere() && holds?.isHere() !== false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it comes once; keys are held from its opening on.
  useEffect(() => {
    if (isHere) return;
    return holdKeysUntil(bringPopup(holds), () => setHere(true), onClose);
  }, []);
  return isHere && <popup.Draw {...props} />;
}

import { autoUpdate, flip, FloatingPortal, offset, shift, useFloating } from '@floating-ui/react';
import styles from './tooltip.module.css';

/** The popup of a tooltip. */
export function TooltipPopup({ id, anchor, text }: { readonly id: string; readonly anchor: HTMLElement; readonly text: string }) {
  const { refs, floatingStyles } = useFloating({
    elements: { reference: anchor },
    placement: 'top',
    whileElementsMounted: autoUpdate,
    middleware: [offset(6), flip(), shift({ padding: 16 })],
  });
  return (
    <FloatingPortal>
      <div ref={refs.setFloating} id={id} role="tooltip" className={styles.tooltip} style={floatingStyles}>
        {text}
      </div>
    </FloatingPortal>
  );
}

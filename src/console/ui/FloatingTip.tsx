import { autoUpdate, flip, offset, shift, useFloating } from '@floating-ui/react';
import { EDGE_MARGIN_PX } from './FloatingPopup.tsx';
import styles from './help.module.css';

/** The text beside the mark of a Help. */
export function FloatingTip({
  id,
  anchor,
  text,
}: {
  readonly id: string;
  readonly anchor: HTMLElement;
  readonly text: string;
}) {
  const { refs, floatingStyles } = useFloating({
    elements: { reference: anchor },
    placement: 'top',
    strategy: 'fixed',
    whileElementsMounted: autoUpdate,
    middleware: [offset(4), flip({ padding: EDGE_MARGIN_PX }), shift({ padding: EDGE_MARGIN_PX })],
  });
  return (
    <span ref={refs.setFloating} id={id} role="tooltip" className={styles.tip} style={floatingStyles}>
      {text}
    </span>
  );
}

import { CircleHelp } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import styles from './help.module.css';
import { createAwaited } from './lazy.tsx';

const Tip = createAwaited(async () => (await import('./FloatingTip.tsx')).FloatingTip);

/** More than a field's tip has room for: shown while the pointer is over its mark, or once that is pressed, until Escape or what is done next. */
export function Help({ about, text }: { readonly about: string; readonly text: string }) {
  const id = useId();
  const mark = useRef<HTMLButtonElement>(null);
  const [shown, setShown] = useState<'hovered' | 'pressed' | null>(null);
  return (
    <>
      <button
        ref={mark}
        type="button"
        className={styles.mark}
        aria-label={`What is this: ${about}`}
        aria-expanded={shown !== null}
        aria-describedby={shown === null ? undefined : id}
        onPointerEnter={() => setShown(now => now ?? 'hovered')}
        onPointerLeave={() => setShown(now => (now === 'hovered' ? null : now))}
        onClick={() => setShown(now => (now === 'pressed' ? null : 'pressed'))}
        onBlur={() => setShown(null)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || shown === null) return;
          event.stopPropagation();
          setShown(null);
        }}
      >
        <CircleHelp aria-hidden="true" />
      </button>
      {shown !== null && mark.current !== null && <Tip id={id} anchor={mark.current} text={text} />}
    </>
  );
}

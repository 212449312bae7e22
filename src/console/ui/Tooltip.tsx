import { lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react';

const TooltipPopup = lazy(async () => ({ default: (await import('./TooltipPopup.tsx')).TooltipPopup }));

/** Words that explain a thing, on hover or focus. For what must be read, use text on the page. */
export function Tooltip({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; the thing inside is what people use.
    <span ref={anchor} aria-describedby={open ? id : undefined} onPointerEnter={() => setOpen(true)} onPointerLeave={() => setOpen(false)} onFocus={() => setOpen(true)} onBlur={() => setOpen(false)}>
      {children}
      {open && anchor.current !== null && (
        <Suspense fallback={null}>
          <TooltipPopup id={id} anchor={anchor.current} text={text} />
        </Suspense>
      )}
    </span>
  );
}

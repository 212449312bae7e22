import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './Button.tsx';

export interface PagerProps {
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly busy?: boolean;
}

/** The ways to the pages before and after the one that is shown. */
export function Pager({ onPrevious, onNext, busy }: PagerProps) {
  return (
    <>
      <Button
        kind="quiet"
        size="dense"
        aria-label="Previous page"
        disabled={busy || !onPrevious}
        onClick={onPrevious}
        icon={<ChevronLeft aria-hidden="true" />}
      />
      <Button
        kind="quiet"
        size="dense"
        aria-label="Next page"
        disabled={busy || !onNext}
        onClick={onNext}
        icon={<ChevronRight aria-hidden="true" />}
      />
    </>
  );
}

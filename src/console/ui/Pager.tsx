import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './Button.tsx';

export interface PagerProps {
  /** 1-based; 0 when there is nothing. */
  readonly from: number;
  readonly to: number;
  /** Undefined: not known. */
  readonly of?: number | undefined;
  readonly onPrevious?: (() => void) | undefined;
  readonly onNext?: (() => void) | undefined;
  readonly onMore?: (() => void) | undefined;
  readonly busy?: boolean;
}

/** "Showing a – b of n", said to screen readers as the pages are turned, with the ways to go on. */
export function Pager({ from, to, of, onPrevious, onNext, onMore, busy }: PagerProps) {
  return (
    <>
      {onMore && (
        <Button kind="quiet" size="dense" disabled={busy} onClick={onMore}>
          Fetch More
        </Button>
      )}
      <span role={onPrevious || onNext ? 'status' : undefined}>
        Showing {from} – {to}
        {of === undefined ? '' : ` of ${of}`}
      </span>
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

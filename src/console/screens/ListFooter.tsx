import { useSnapshot } from 'valtio';
import { Button } from '../ui/Button.tsx';
import { Pager } from '../ui/Pager.tsx';
import { scrollNote } from '../ui/table-window.ts';
import type { PagedRows } from './paged-list.ts';

/** Which rows are seen, what finds the others, since the browser's own search knows only those, and why further ones did not come. */
export function ListFooter<Row>({
  list,
  isFaulty,
  above,
  page,
  onMore,
}: {
  readonly list: PagedRows<Row>;
  /** The filter could not be read: that is said below it. */
  readonly isFaulty: boolean;
  /** Pinned rows above the list's own. */
  readonly above: number;
  /** The page that is shown, from row `from` (from 0) on; null: the list is scrolled through. */
  readonly page: {
    readonly from: number;
    readonly rows: number;
    readonly busy: boolean;
    readonly onTurn: (by: 1 | -1) => void;
  } | null;
  /** Fetches what is older than the list's last row. */
  readonly onMore: (() => void) | undefined;
}) {
  const view = useSnapshot(list.view);
  const { total, error } = useSnapshot(list.state);
  const first = page?.from ?? view.first;
  const end = page === null ? view.end : page.from + page.rows;
  return (
    <>
      {error !== null && !isFaulty && (
        <>
          <span role="alert">{error.message}</span>
          <Button size="dense" onClick={() => void list.retry()}>
            Try again
          </Button>
        </>
      )}
      {page === null && <span>{scrollNote(total, above)}</span>}
      {onMore && (
        <Button kind="quiet" size="dense" onClick={onMore}>
          Fetch More
        </Button>
      )}
      <span role={page === null ? undefined : 'status'}>
        Showing {Math.min(total, first + 1)} – {Math.min(total, end)} of {total}
      </span>
      {page !== null && (
        <Pager
          busy={page.busy}
          onPrevious={page.from > 0 ? () => page.onTurn(-1) : undefined}
          onNext={end < total ? () => page.onTurn(1) : undefined}
        />
      )}
    </>
  );
}

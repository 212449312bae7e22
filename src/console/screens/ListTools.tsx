import { Bookmark, Columns3 } from 'lucide-react';
import { lazy, type RefObject, Suspense } from 'react';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import type { Column } from '../ui/table-column.ts';

const ColumnsPanel = lazy(async () => ({ default: (await import('./ColumnsPanel.tsx')).ColumnsPanel }));
const ViewsPanel = lazy(async () => ({ default: (await import('./ViewsPanel.tsx')).ViewsPanel }));

export interface ListToolsProps {
  /** Whose views and columns these are. */
  readonly list: string;
  /** Null: its columns cannot be chosen. */
  readonly columns: readonly Pick<Column<never>, 'key' | 'title' | 'quiet'>[] | null;
  /** Names of labels that rows on screen carry. */
  readonly labels?: readonly string[];
  /** The list can show pinned and recent things, and its rows per page can be chosen. */
  readonly isPaged?: boolean;
  /** The two buttons, so that keys can press them. */
  readonly places: {
    readonly views: RefObject<HTMLButtonElement | null>;
    readonly columns: RefObject<HTMLButtonElement | null>;
  };
}

/** Saved views and the choice of columns; what they hold is loaded when someone opens them. */
export function ListTools({ list, columns, labels = [], isPaged = false, places }: ListToolsProps) {
  return (
    <>
      <Menu
        label="Views"
        placement="bottom-end"
        kind="dialog"
        width={280}
        trigger={props => (
          <Button ref={places.views} icon={<Bookmark aria-hidden="true" />} {...props}>
            Views
          </Button>
        )}
      >
        {close => (
          <Suspense fallback={null}>
            <ViewsPanel list={list} isPaged={isPaged} onClose={close} />
          </Suspense>
        )}
      </Menu>
      {columns !== null && (
        <Menu
          label="Columns and rows"
          placement="bottom-end"
          kind="dialog"
          width={260}
          trigger={props => (
            <Button ref={places.columns} icon={<Columns3 aria-hidden="true" />} {...props}>
              Columns
            </Button>
          )}
        >
          {() => (
            <Suspense fallback={null}>
              <ColumnsPanel list={list} columns={columns} labels={labels} isPaged={isPaged} />
            </Suspense>
          )}
        </Menu>
      )}
    </>
  );
}

/** Presses one of the buttons for a key: it comes into view first, since its menu opens beside it. */
export function opened(button: HTMLButtonElement | null): void {
  button?.focus();
  button?.click();
}

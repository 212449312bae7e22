import { Bookmark, Columns3 } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../ui/Button.tsx';
import { createAwaited } from '../ui/lazy.tsx';
import { Menu, type MenuHandle } from '../ui/Menu.tsx';
import type { Column } from '../ui/table-column.ts';

const ColumnsPanel = createAwaited(async () => (await import('./ColumnsPanel.tsx')).ColumnsPanel);
const ViewsPanel = createAwaited(async () => (await import('./ViewsPanel.tsx')).ViewsPanel);

export interface ListToolsProps {
  /** Whose views and columns these are. */
  readonly list: string;
  readonly columns: readonly Pick<Column<never>, 'key' | 'title' | 'quiet'>[];
  /** Keys of the columns that are shown while nobody has chosen. */
  readonly atFirst: readonly string[];
  /** Names of labels that rows on screen carry. */
  readonly labels: readonly string[];
  /** The list can show pinned and recent things. */
  readonly canPin: boolean;
  /** The two menus, so that keys can open them. */
  readonly menus: {
    readonly views: RefObject<MenuHandle | null>;
    readonly columns: RefObject<MenuHandle | null>;
  };
}

/** Saved views and the choice of columns. */
export function ListTools({ list, columns, atFirst, labels, canPin, menus }: ListToolsProps) {
  return (
    <>
      <Menu
        ref={menus.views}
        label="Views"
        placement="bottom-end"
        kind="dialog"
        width={280}
        trigger={props => (
          <Button icon={<Bookmark aria-hidden="true" />} {...props}>
            Views
          </Button>
        )}
      >
        {close => <ViewsPanel list={list} canPin={canPin} onClose={close} />}
      </Menu>
      <Menu
        ref={menus.columns}
        label="Columns and rows"
        placement="bottom-end"
        kind="dialog"
        width={260}
        trigger={props => (
          <Button icon={<Columns3 aria-hidden="true" />} {...props}>
            Columns
          </Button>
        )}
      >
        {() => <ColumnsPanel list={list} columns={columns} atFirst={atFirst} labels={labels} />}
      </Menu>
    </>
  );
}

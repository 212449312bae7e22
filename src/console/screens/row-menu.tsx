import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Thing } from '../../../commands/command.ts';
import { Button } from '../ui/Button.tsx';
import { Popup } from '../ui/Popup.tsx';
import type { RowAction } from '../ui/row-action.ts';
import { RowMenu } from './RowMenu.tsx';

interface RowMenuChoices<Row> {
  readonly thingOf: ((row: Row) => Thing | null) | undefined;
  /** The command that Enter does on a row, in its own way: it is not listed twice. */
  readonly opens?: string | undefined;
  /** Commands that act on all marked rows. */
  readonly bulk?: readonly string[] | undefined;
  readonly canPin?: boolean;
}

/** The menu of a list's rows, for "." and the right button: what opens it, for the table, and the menu while it is open. */
export function useRowMenu<Row>({ thingOf, opens, bulk = [], canPin = false }: RowMenuChoices<Row>): {
  readonly onMenu: (rows: readonly Row[], anchor: HTMLElement, first: RowAction | null) => void;
  readonly menu: ReactNode;
} {
  const [open, setOpen] = useState<{
    readonly rows: readonly Row[];
    readonly anchor: HTMLElement;
    readonly first: RowAction | null;
  } | null>(null);
  const close = (): void => setOpen(null);
  const things = (open?.rows ?? []).map(row => thingOf?.(row) ?? null).filter(thing => thing !== null);
  const isButton = open?.anchor.tagName === 'BUTTON';
  return {
    onMenu: (rows, anchor, first) => setOpen(now => (now?.anchor === anchor ? null : { rows, anchor, first })),
    menu: open !== null && (
      <Popup
        anchor={open.anchor}
        label={things.length === 1 ? `Actions for ${things[0]?.title}` : 'Actions for the marked rows'}
        placement={isButton ? 'bottom-end' : 'bottom-start'}
        kind="menu"
        from="first"
        onClose={close}
      >
        <RowMenu
          things={things}
          first={open.rows.length > 1 ? null : open.first}
          isBulk={open.rows.length > 1}
          bulk={bulk}
          opens={opens}
          canPin={canPin}
          onChoose={close}
        />
      </Popup>
    ),
  };
}

/** Opens the menu of its row, which the table notices. */
export function RowMenuButton({ title }: { readonly title: string }) {
  return (
    <Button
      kind="quiet"
      size="dense"
      tabIndex={-1}
      data-menu
      aria-haspopup="menu"
      aria-label={`Actions for ${title}`}
      icon={<Ellipsis aria-hidden="true" />}
    />
  );
}

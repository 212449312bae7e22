import { Button, type ButtonProps } from './Button.tsx';
import { type RowAction, useRowAction } from './row-action.ts';

/** The button of a row's first action, which Enter on the row does as well. */
export function RowButton({
  action: { title, refused, run },
  children,
  ...look
}: { readonly action: RowAction } & Pick<ButtonProps, 'kind' | 'icon' | 'children'>) {
  useRowAction({ title, refused, run });
  return (
    <Button
      {...look}
      size="dense"
      tabIndex={-1}
      aria-label={title}
      aria-disabled={refused === undefined ? undefined : true}
      title={refused}
      onClick={run}
    >
      {children}
    </Button>
  );
}

import { type ReactNode, useId } from 'react';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';
import { Dialog, type DialogProps } from './Dialog.tsx';
import styles from './form-dialog.module.css';
import { joined } from './joined.ts';

/** A dialog around one form, which a button or Mod+Enter submits. What went wrong stands over the fields. */
export function FormDialog({
  title,
  size = 'normal',
  submit,
  isDisabled,
  problem,
  className,
  onSubmit,
  onCancel,
  children,
}: {
  readonly title: string;
  readonly size?: NonNullable<DialogProps['size']>;
  /** The word on its button. */
  readonly submit: string;
  readonly isDisabled: boolean;
  /** '' = nothing went wrong. */
  readonly problem: string;
  readonly className?: string | undefined;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <Dialog
      title={title}
      size={size}
      onEscape={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} disabled={isDisabled}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={joined(styles.form, className)}
        onSubmit={event => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {problem !== '' && <Alert>{problem}</Alert>}
        {children}
      </form>
    </Dialog>
  );
}

import { ArrowLeft } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';

/** To the form before this one. */
export function BackButton({
  label = 'Back',
  ...props
}: {
  readonly label?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}) {
  return (
    <Button kind="quiet" icon={<ArrowLeft aria-hidden="true" />} {...props}>
      {label}
    </Button>
  );
}

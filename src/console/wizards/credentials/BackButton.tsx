import { ArrowLeft } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';

/** To the form before this one. */
export function BackButton(props: { readonly disabled?: boolean; readonly onClick: () => void }) {
  return (
    <Button kind="quiet" icon={<ArrowLeft aria-hidden="true" />} {...props}>
      Back
    </Button>
  );
}

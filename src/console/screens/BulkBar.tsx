import { X } from 'lucide-react';
import { CommandButton } from '../palette/CommandButton.tsx';
import { Button } from '../ui/Button.tsx';

/** What can be done with all marked rows at once. */
export function BulkBar({
  count,
  commands,
  onClear,
}: {
  readonly count: number;
  readonly commands: readonly string[];
  readonly onClear: () => void;
}) {
  return (
    <>
      <span>{count} marked</span>
      {commands.map(id => (
        <CommandButton key={id} id={id} size="dense" />
      ))}
      <Button kind="quiet" size="dense" icon={<X aria-hidden="true" />} onClick={onClear}>
        Clear
      </Button>
    </>
  );
}

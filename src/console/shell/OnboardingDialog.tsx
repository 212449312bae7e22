import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Nothing to reach yet: how to add the first thing. */
export function OnboardingDialog({ onAdd, onLater }: { readonly onAdd: () => void; readonly onLater: () => void }) {
  return (
    <Dialog
      title="Nothing to reach yet"
      actions={
        <>
          <Button size="large" onClick={onLater}>
            I'll do that later
          </Button>
          <Button kind="primary" size="large" onClick={onAdd} data-first>
            Add my first resource
          </Button>
        </>
      }
    >
      <p>Servers, databases, desktops, Kubernetes clusters and applications appear here once they are added.</p>
    </Dialog>
  );
}

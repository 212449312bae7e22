import { to } from '../../../features/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import { untilText } from '../times.ts';

/** The one-time link of an invitation that was just made. */
export interface Link {
  readonly tokenId: string;
  readonly user: string;
  readonly expiry: string;
}

/** The link to pass on; it is shown this once. */
export function LinkDialog({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const url = new URL(to('invite', { tokenId: link.tokenId }), location.origin).href;
  return (
    <Dialog
      title={`${link.user} has been invited`}
      size="wide"
      actions={
        <Button kind="primary" autoFocus onClick={onClose}>
          Close
        </Button>
      }
    >
      <p style={{ marginBottom: 12 }}>
        Pass this link on to <strong>{link.user}</strong>. It works once and is valid for{' '}
        {untilText(link.expiry, new Date())}.
      </p>
      <Snippet label="the link" text={url} />
    </Dialog>
  );
}

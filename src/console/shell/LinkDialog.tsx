import { useContext, useEffect, useState } from 'react';
import type { Tools } from '../../../commands/command.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { HoldKeysContext } from '../ui/lazy.tsx';
import styles from './notices.module.css';
import type { OneTimeLink } from './notices.ts';

/** A link that is shown this once: Enter copies it, the next Enter closes, and closing without having copied asks. */
export function LinkDialog({
  link,
  copyText,
  onClose,
}: {
  readonly link: OneTimeLink;
  readonly copyText: Tools['copyText'];
  readonly onClose: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [problem, setProblem] = useState('');
  const [isCopying, setCopying] = useState(false);
  const holdKeys = useContext(HoldKeysContext);
  // The next Enter is for what copying leads to: it waits until that is drawn, however long the browser takes to copy.
  useEffect(() => (isCopying ? holdKeys() : undefined), [isCopying, holdKeys]);
  const copy = async (): Promise<void> => {
    setCopying(true);
    try {
      await copyText(link.link);
      setCopied(true);
      setLeaving(false);
      setProblem('');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Cannot copy to clipboard');
    } finally {
      setCopying(false);
    }
  };
  const leave = (): void => (isCopied || isLeaving ? onClose() : setLeaving(true));
  return (
    <Dialog
      title={link.title}
      size="wide"
      onEscape={leave}
      actions={
        isCopied ? (
          <Button key="close" kind="primary" autoFocus onClick={leave}>
            Close
          </Button>
        ) : (
          <>
            <Button kind={isLeaving ? 'danger' : 'secondary'} onClick={leave}>
              {isLeaving ? 'Close without the link' : 'Close'}
            </Button>
            <Button key="copy" kind="primary" autoFocus onClick={() => void copy()}>
              Copy the link
            </Button>
          </>
        )
      }
    >
      <p>{link.text}</p>
      {/* Whoever selects it and copies by hand has it too. */}
      <p className={styles.link} onCopy={() => setCopied(true)}>
        <code>{link.link}</code>
      </p>
      {problem !== '' && <Alert>{problem}</Alert>}
      {isLeaving && <Alert>The link has not been copied, and it is not shown again. Close without it?</Alert>}
      <p role="status">{isCopied && 'The link has been copied.'}</p>
    </Dialog>
  );
}

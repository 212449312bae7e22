import { BackButton } from '../wizards/credentials/BackButton.tsx';
import { Card } from './Card.tsx';
import { RecoverLinks } from './RecoverLinks.tsx';

/** Why nobody signs in here with a browser, and what to use instead. */
export function WebLoginDisabled({
  title,
  onBack,
}: {
  readonly title: string;
  /** Where somebody else may sign in on this page. */
  readonly onBack?: (() => void) | undefined;
}) {
  return (
    <Card title={title}>
      <p>
        Web UI login is disabled: this cluster keeps private keys in hardware, and such keys cannot be used in browsers.
        Use the desktop client or the command-line tool.
      </p>
      <RecoverLinks />
      {onBack && <BackButton onClick={onBack} />}
    </Card>
  );
}

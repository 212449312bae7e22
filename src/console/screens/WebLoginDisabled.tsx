import { BackButton } from '../wizards/credentials/BackButton.tsx';
import { Card } from './Card.tsx';
import { RecoverLinks } from './RecoverLinks.tsx';

/** Why somebody does not sign in here with a browser, what it would take, and who can change that. */
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
        Web UI login is disabled: your private keys must be kept in hardware, and such keys cannot be used in browsers.
        Use a desktop client or a command-line tool that keeps its keys there.
      </p>
      <p>
        The <code>postern</code> command line keeps none in hardware yet, and is refused as well. Whoever manages your
        roles can take the demand away: <code>require_session_mfa</code>.
      </p>
      <RecoverLinks />
      {onBack && <BackButton onClick={onBack} />}
    </Card>
  );
}

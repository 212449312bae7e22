import { useState } from 'react';
import { type Challenge, isAsked } from '../../../contract/mfa.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PasswordForm } from '../../wizards/credentials/PasswordForm.tsx';
import { type Proof, ProveDialog } from '../../wizards/credentials/ProveDialog.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './account.module.css';

/** For whoever signs in with a passkey alone: what that means, and a password beside it for those who want one. */
export function FirstPassword({
  user,
  onAsk,
  onSet,
}: {
  readonly user: string;
  readonly onAsk: () => Promise<Challenge>;
  readonly onSet: (password: string, proof: Proof) => Promise<void>;
}) {
  const { config } = usePage();
  const { busy, problem, attempt } = useAttempt();
  const [isTyping, setTyping] = useState(false);
  const [asked, setAsked] = useState<{ readonly challenge: Challenge; readonly password: string } | null>(null);
  return (
    <div className={styles.form}>
      <p>You sign in with a passkey and have no password.</p>
      <div>
        <Button size="large" onClick={() => setTyping(true)}>
          Set a password
        </Button>
      </div>
      {isTyping && asked === null && (
        <Dialog title="Set a password">
          <div className={styles.form}>
            <PasswordForm
              user={user}
              least={config.passwordLeastCharacters}
              busy={busy}
              problem={problem}
              submitLabel="Set password"
              onPassword={password =>
                void attempt(async () => {
                  const challenge = await onAsk();
                  if (isAsked(challenge)) setAsked({ challenge, password });
                  else await onSet(password, {});
                })
              }
            >
              <Button onClick={() => setTyping(false)} disabled={busy}>
                Cancel
              </Button>
            </PasswordForm>
          </div>
        </Dialog>
      )}
      {asked !== null && (
        <ProveDialog
          title="Set a password"
          challenge={asked.challenge}
          askAgain={onAsk}
          onProof={proof => onSet(asked.password, proof)}
          onCancel={() => setAsked(null)}
        />
      )}
    </div>
  );
}

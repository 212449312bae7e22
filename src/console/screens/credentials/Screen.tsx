import { type ReactNode, useEffect, useState } from 'react';
import { base64OfText } from '../../../client/base64.ts';
import { toApiError } from '../../../client/errors.ts';
import { captureEvents, precaptureEvent } from '../../../contract/capture.ts';
import { completeReset, getResetToken } from '../../../contract/users.ts';
import { Button } from '../../ui/Button.tsx';
import { next, type Step, type Turn } from '../../wizards/credentials/machine.ts';
import { PasswordForm } from '../../wizards/credentials/PasswordForm.tsx';
import { wordings } from '../../wizards/credentials/words.ts';
import { Slide } from '../../wizards/Slide.tsx';
import { Card } from '../Card.tsx';
import { LinkTo, usePage } from '../page.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const TOLD_MOST_MS = 1000;

interface Recovery {
  readonly codes: readonly string[];
  readonly created: string;
}

/** Places of the steps, for the way they slide; the welcome stands before them. */
const places: Readonly<Record<Step, number>> = {
  password: 1,
  sending: 1,
  device: 2,
  webLoginDisabled: 3,
  codes: 3,
  done: 4,
};

/** An invitation or a reset link: welcome, Set A Password, and in (specification sections 2 and 4). */
export default function Credentials() {
  const page = usePage();
  const isReset = page.feature === 'reset' || page.feature === 'resetContinue';
  const words = wordings[isReset ? 'reset' : 'invite'];
  const tokenId = page.params.tokenId ?? '';
  const [user, setUser] = useState<string | null>(null);
  const [isExpired, setExpired] = useState(false);
  const [step, setStep] = useState<Step>('password');
  const [problem, setProblem] = useState('');
  const [recovery, setRecovery] = useState<Recovery>({ codes: [], created: '' });
  const turn = (made: Turn): void => setStep(now => next(now, made));

  const { api } = page;
  useEffect(() => {
    let gone = false;
    api(getResetToken, { params: { token: tokenId } }).then(
      token => !gone && setUser(token.user),
      () => !gone && setExpired(true),
    );
    return () => {
      gone = true;
    };
  }, [api, tokenId]);

  const send = async (password: string): Promise<void> => {
    turn({ kind: 'passwordSet', secondFactor: 'off' });
    setProblem('');
    try {
      const reply = await api(completeReset, { body: { token: tokenId, password: base64OfText(password) } });
      setRecovery({ codes: reply.recovery.codes ?? [], created: reply.recovery.created ?? '' });
      turn({
        kind: 'accepted',
        keyPolicy: reply.privateKeyPolicyEnabled === true,
        codesCreated: reply.recovery.created !== undefined,
      });
    } catch (error) {
      setProblem(toApiError(error).message);
      turn({ kind: 'refused', secondFactor: 'off' });
    }
  };

  /** Tells the gateway's log that the way in was taken to its end, then goes to the root; the telling is waited for, but not for long. */
  const leave = async (username: string): Promise<void> => {
    const told = { event: captureEvents.completeGoToDashboard, username };
    await api(precaptureEvent, { body: told, signal: AbortSignal.timeout(TOLD_MOST_MS) }).catch(() => undefined);
    page.enter('');
  };

  if (isExpired) {
    return (
      <Card title={words.expiredTitle}>
        <p>{words.expired}</p>
        <p>
          If the link should still be valid, report it in the{' '}
          {page.config.supportUrl === undefined ? (
            'issue tracker of whoever runs this gateway'
          ) : (
            <a href={page.config.supportUrl} rel="noopener noreferrer">
              issue tracker
            </a>
          )}
          .
        </p>
        <p>
          Who has a password already can <LinkTo id="login">sign in</LinkTo>.
        </p>
      </Card>
    );
  }
  // While the token is being fetched nothing shows (specification section 4).
  if (user === null) return null;
  const isWelcome = page.feature === 'invite' || page.feature === 'reset';
  const card = (): ReactNode => {
    if (isWelcome) {
      return (
        <Card title={words.welcome} detail={page.config.proxyCluster}>
          <p>
            {isReset ? 'Set a new password for ' : 'Set a password to sign in as '}
            <strong>{user}</strong>.
          </p>
          <Button
            kind="primary"
            size="large"
            autoFocus
            onClick={() => page.go(isReset ? 'resetContinue' : 'inviteContinue', { tokenId })}
          >
            {words.begin}
          </Button>
        </Card>
      );
    }
    switch (step) {
      case 'password':
      case 'device':
      case 'sending':
        return (
          <Card title="Set A Password" detail={page.config.proxyCluster}>
            <PasswordForm
              user={user}
              least={page.config.passwordLeastCharacters}
              busy={step === 'sending'}
              problem={problem}
              onPassword={password => void send(password)}
            />
          </Card>
        );
      case 'webLoginDisabled':
        return (
          <Card title={words.disabled}>
            <p>
              Web UI login is disabled: this cluster keeps private keys in hardware, and such keys cannot be used in
              browsers. Use the desktop client or the command-line tool.
            </p>
          </Card>
        );
      case 'codes':
        return (
          <Card title={isReset ? 'New Backup & Recovery Codes' : 'Backup & Recovery Codes'}>
            <RecoveryCodes {...recovery} user={user} isNew={isReset} onSaved={() => turn({ kind: 'codesSaved' })} />
          </Card>
        );
      case 'done':
        return (
          <Card title={words.done}>
            <p>
              You are signed in as <strong>{user}</strong>.
            </p>
            <Button kind="primary" size="large" autoFocus onClick={() => void leave(user)}>
              {page.config.isDashboard ? 'Go to Dashboard' : 'Go to Cluster'}
            </Button>
          </Card>
        );
      default:
        step satisfies never;
        return null;
    }
  };
  return <Slide at={isWelcome ? 0 : places[step]}>{card()}</Slide>;
}

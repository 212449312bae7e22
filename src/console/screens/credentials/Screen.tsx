import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { base64OfText } from '../../../client/base64.ts';
import { toApiError } from '../../../client/errors.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { precaptureEvent, precaptureEvents } from '../../../contract/capture.ts';
import { completeReset, getResetToken } from '../../../contract/credentials.ts';
import type { Creation } from '../../../contract/mfa.ts';
import { Button } from '../../ui/Button.tsx';
import { BackButton } from '../../wizards/credentials/BackButton.tsx';
import { DeviceForm, type GivenDevice } from '../../wizards/credentials/DeviceForm.tsx';
import { firstStep, next, type Step, type Turn } from '../../wizards/credentials/machine.ts';
import { methodsOf } from '../../wizards/credentials/methods.ts';
import { PasskeyForm } from '../../wizards/credentials/PasskeyForm.tsx';
import { PasswordForm } from '../../wizards/credentials/PasswordForm.tsx';
import { appSecretFor, newKeyFor } from '../../wizards/credentials/registration.ts';
import { wordings } from '../../wizards/credentials/words.ts';
import { noInvites } from '../../wizards/invites/invites.ts';
import { Slide } from '../../wizards/Slide.tsx';
import { Card } from '../Card.tsx';
import { LinkTo, type StartAnswers, usePage } from '../page.tsx';
import { Accepted } from './Accepted.tsx';

interface Recovery {
  readonly codes: readonly string[];
  readonly created: string;
}

/** Places of the steps, for the way they slide; the welcome stands before them. */
const places: Readonly<Record<Exclude<Step, 'sending'>, number>> = {
  password: 1,
  passwordless: 2,
  device: 2,
  webLoginDisabled: 3,
  codes: 3,
  invites: 4,
  survey: 5,
  done: 6,
};

/** An invitation or a reset link: welcome, Set A Password, and in (specification sections 2 and 4). */
export default function Credentials() {
  const page = usePage();
  const isReset = page.feature === 'reset' || page.feature === 'resetContinue';
  const words = wordings[isReset ? 'reset' : 'invite'];
  const tokenId = page.params.tokenId ?? '';
  const [user, setUser] = useState<string | null>(null);
  const [isExpired, setExpired] = useState(false);
  const { second_factor: secondFactor, allowPasswordless } = page.config.auth;
  const first = firstStep(page.config.auth);
  const [step, setStep] = useState<Step>(first);
  // While something is being sent its form stays, and so does what was typed.
  const [form, setForm] = useState<Step>(first);
  if (step !== 'sending' && step !== form) setForm(step);
  const typed = useRef('');
  const [problem, setProblem] = useState('');
  const [recovery, setRecovery] = useState<Recovery>({ codes: [], created: '' });
  /** Whether the person may add others; known when the gateway has accepted them. */
  const mayInvite = useRef(false);
  const isPasskey = useRef(false);
  const [answers, setAnswers] = useState<StartAnswers>({ survey: null, invites: noInvites });
  const turn = (made: Turn): void =>
    setStep(now =>
      next(now, made, {
        invites: !isReset && page.config.isCloud && mayInvite.current,
        survey: !isReset && page.config.questionnaire,
      }),
    );
  const change = (made: Turn): void => {
    setProblem('');
    turn(made);
  };

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

  /** Tells the gateway's log; nobody waits for it. */
  const tell = (event: string, loginFlow: Step, mfaType?: 'webauthn'): void =>
    void api(precaptureEvent, { body: { event, username: user ?? '', loginFlow, mfaType } }).catch(() => undefined);
  const complete = async (
    at: Step,
    given: () => Promise<Omit<BodyInput<typeof completeReset>, 'token'>>,
  ): Promise<void> => {
    setProblem('');
    tell(precaptureEvents.setCredential, at);
    try {
      const reply = await api(completeReset, { body: { token: tokenId, ...(await given()) } });
      mayInvite.current = reply.mayInvite === true;
      setRecovery({ codes: reply.recovery.codes ?? [], created: reply.recovery.created ?? '' });
      turn({
        kind: 'accepted',
        keyPolicy: reply.privateKeyPolicyEnabled === true,
        codesCreated: reply.recovery.created !== undefined,
      });
    } catch (error) {
      setProblem(toApiError(error).message);
      turn({ kind: 'refused', at });
    }
  };
  const newKey = (deviceUsage: 'mfa' | 'passwordless'): Promise<Creation> => {
    tell(precaptureEvents.registerChallenge, deviceUsage === 'mfa' ? 'device' : 'passwordless', 'webauthn');
    return newKeyFor(api, tokenId, deviceUsage);
  };
  const secret = useCallback(() => appSecretFor(api, tokenId), [api, tokenId]);

  const setPassword = (password: string): void => {
    isPasskey.current = false;
    typed.current = password;
    setProblem('');
    turn({ kind: 'passwordSet', secondFactor });
    if (secondFactor === 'off') void complete('password', async () => ({ password: base64OfText(password) }));
  };
  const setDevice = ({ method, name, code }: GivenDevice): void => {
    turn({ kind: 'deviceSet' });
    void complete('device', async () => ({
      password: base64OfText(typed.current),
      ...(method !== 'None' && { deviceName: name }),
      ...(method === 'Authenticator App' && { second_factor_token: code }),
      ...(method === 'Hardware Key' && { webauthnCreationResponse: await newKey('mfa') }),
    }));
  };
  const setPasskey = (deviceName: string): void => {
    isPasskey.current = true;
    turn({ kind: 'deviceSet' });
    void complete('passwordless', async () => ({
      password: null,
      deviceName,
      webauthnCreationResponse: await newKey('passwordless'),
    }));
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
    const busy = step === 'sending';
    switch (form) {
      case 'password':
        return (
          <Card title="Set A Password" detail={secondFactor === 'off' ? page.config.proxyCluster : 'Step 1 of 2'}>
            <PasswordForm
              user={user}
              least={page.config.passwordLeastCharacters}
              busy={busy}
              problem={problem}
              submitLabel={secondFactor === 'off' ? 'Submit' : 'Next'}
              onPassword={setPassword}
            >
              {allowPasswordless && (
                <Button kind="quiet" onClick={() => change({ kind: 'goPasswordless' })}>
                  {first === 'passwordless' ? 'Back' : 'Go Passwordless'}
                </Button>
              )}
            </PasswordForm>
          </Card>
        );
      case 'device':
        return (
          <Card title="Set Two-Factor Device" detail="Step 2 of 2">
            <DeviceForm
              methods={methodsOf(secondFactor)}
              busy={busy}
              problem={problem}
              secret={secret}
              onChoose={() => setProblem('')}
              onDevice={setDevice}
            >
              <BackButton disabled={busy} onClick={() => change({ kind: 'back' })} />
            </DeviceForm>
          </Card>
        );
      case 'passwordless':
        return (
          <Card title="Set A Passwordless Device" detail={page.config.proxyCluster}>
            <PasskeyForm
              busy={busy}
              problem={problem}
              backLabel={first === 'passwordless' ? 'Use password' : 'Back'}
              onName={setPasskey}
              onBack={() => change({ kind: 'usePassword' })}
            />
          </Card>
        );
      default:
        return (
          <Accepted
            at={form}
            user={user}
            words={words}
            isNew={isReset}
            {...recovery}
            offersPasskey={allowPasswordless && !isPasskey.current && 'PublicKeyCredential' in globalThis}
            answers={answers}
            onAnswers={setAnswers}
            onTurn={turn}
          />
        );
    }
  };
  return <Slide at={isWelcome || form === 'sending' ? 0 : places[form]}>{card()}</Slide>;
}

import { type FormEvent, type ReactNode, useCallback, useState } from 'react';
import { base64OfText } from '../../../client/base64.ts';
import type { BodyInput } from '../../../contract/call.ts';
import { type Challenge, isAsked } from '../../../contract/mfa.ts';
import { beginRecovery, completeRecovery, recoveryChallenge } from '../../../contract/recovery.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { BackButton } from '../../wizards/credentials/BackButton.tsx';
import { DeviceForm, type GivenDevice } from '../../wizards/credentials/DeviceForm.tsx';
import { type Asked, next, type Step } from '../../wizards/credentials/machine.ts';
import { methodsOf } from '../../wizards/credentials/methods.ts';
import { PasskeyForm } from '../../wizards/credentials/PasskeyForm.tsx';
import { PasswordForm } from '../../wizards/credentials/PasswordForm.tsx';
import { type Proof, ProveDialog } from '../../wizards/credentials/ProveDialog.tsx';
import { appSecretFor, newKeyFor } from '../../wizards/credentials/registration.ts';
import { wordings } from '../../wizards/credentials/words.ts';
import { noInvites } from '../../wizards/invites/invites.ts';
import { Slide } from '../../wizards/Slide.tsx';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { Card } from '../Card.tsx';
import { usePage } from '../page.tsx';
import { Accepted } from './Accepted.tsx';

/** Nobody who was here before is asked more. */
const nothing: Asked = { invites: false, survey: false };
const nobody = { survey: null, invites: noInvites };
/** Forms in their order; what follows when the gateway has accepted comes after them. */
type At = 'code' | 'newPassword' | 'password' | 'device' | Step;
const places: readonly At[] = ['code', 'newPassword', 'password', 'device', 'webLoginDisabled', 'codes', 'done'];

/** A lost password or a lost device, replaced with a recovery code: the code first, then what is not lost, then what is set anew. */
export default function Recover() {
  const { api, config, params, go } = usePage();
  const lost = params.lost === 'device' ? 'device' : 'password';
  const [at, setAt] = useState<At>('code');
  const [user, setUser] = useState('');
  const [code, setCode] = useState('');
  const [token, setToken] = useState('');
  /** The new one where it was lost, otherwise the present one; '' for whoever has none. */
  const [password, setPassword] = useState('');
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [given, setGiven] = useState({ codes: [] as readonly string[], created: '' });
  const { busy, problem, attempt, forget } = useAttempt();
  const [tried, setTried] = useState(false);

  const complete = async (body: Omit<BodyInput<typeof completeRecovery>, 'token'>): Promise<void> => {
    const { recovery, privateKeyPolicyEnabled: keyPolicy = false } = await api(completeRecovery, {
      body: { token, ...body },
    });
    setGiven({ codes: recovery.codes ?? [], created: recovery.created ?? '' });
    setChallenge(null);
    setAt(next('sending', { kind: 'accepted', keyPolicy, codesCreated: recovery.created !== undefined }, nothing));
  };
  const spendCode = async (): Promise<void> => {
    const { tokenId } = await api(beginRecovery, { body: { user: user.trim(), code: code.trim(), lost } });
    setToken(tokenId);
    setTried(false);
    setAt(lost === 'password' ? 'newPassword' : 'password');
  };
  const begin = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    const missing = user.trim() === '' ? 'username' : code.trim() === '' ? 'code' : null;
    if (missing !== null) event.currentTarget.querySelector<HTMLElement>(`[name=${missing}]`)?.focus();
    else void attempt(spendCode);
  };
  const askProof = (): Promise<Challenge> => api(recoveryChallenge, { params: { token } });
  const prove = ({ code: typed, assertion }: Proof, chosen = password): Promise<void> =>
    complete({
      password: base64OfText(chosen),
      second_factor_token: typed ?? null,
      webauthnAssertionResponse: assertion ?? null,
    });
  const renew = (chosen: string): void => {
    setPassword(chosen);
    void attempt(async () => {
      const asked = await askProof();
      if (isAsked(asked)) setChallenge(asked);
      else await prove({}, chosen);
    });
  };
  const secret = useCallback(() => appSecretFor(api, token), [api, token]);
  const setDevice = ({ method, name, code: typed }: Omit<GivenDevice, 'isPasswordless'>): void =>
    void attempt(async () =>
      complete({
        password: password === '' ? null : base64OfText(password),
        deviceName: name,
        ...(method === 'Authenticator App'
          ? { second_factor_token: typed }
          : { webauthnCreationResponse: await newKeyFor(api, token, password === '' ? 'passwordless' : 'mfa') }),
      }),
    );
  const goTo = (step: At): void => {
    forget();
    setTried(false);
    setAt(step);
  };

  const card = (): ReactNode => {
    switch (at) {
      case 'code':
        return (
          <Card
            title={lost === 'password' ? 'Forgot Password?' : 'Lost Two-Factor Device?'}
            detail={config.proxyCluster}
          >
            <form onSubmit={begin} noValidate>
              {problem !== '' && <Alert>{problem}</Alert>}
              <p>One of your recovery codes brings you back. It is used up by this, and you get new ones.</p>
              <Field
                label="Username"
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                value={user}
                error={tried && user.trim() === '' ? 'Username is required' : undefined}
                onChange={event => setUser(event.target.value)}
              />
              <Field
                label="Recovery Code"
                name="code"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                mono
                value={code}
                error={tried && code.trim() === '' ? 'Recovery code is required' : undefined}
                onChange={event => setCode(event.target.value)}
              />
              <Button kind="primary" size="large" type="submit" disabled={busy}>
                Next
              </Button>
              <BackButton onClick={() => go('login')} />
            </form>
          </Card>
        );
      case 'newPassword':
        return (
          <Card title="Set A Password" detail={config.proxyCluster}>
            <PasswordForm
              user={user.trim()}
              least={config.passwordLeastCharacters}
              busy={busy}
              problem={problem}
              submitLabel="Submit"
              onPassword={renew}
            />
            {challenge !== null && (
              <ProveDialog
                title="Set A Password"
                challenge={challenge}
                askAgain={askProof}
                onProof={prove}
                onCancel={() => setChallenge(null)}
              />
            )}
          </Card>
        );
      case 'password':
        return (
          <Card title="Your Password" detail="Step 1 of 2">
            <form
              noValidate
              onSubmit={event => {
                event.preventDefault();
                setTried(true);
                if (password !== '') goTo('device');
              }}
            >
              <Field
                label="Password"
                name="password"
                type="password"
                autoComplete="current-password"
                autoFocus
                value={password}
                error={tried && password === '' ? 'Password is required' : undefined}
                onChange={event => setPassword(event.target.value)}
              />
              <Button kind="primary" size="large" type="submit">
                Next
              </Button>
              {config.auth.allowPasswordless && (
                <Button
                  kind="quiet"
                  onClick={() => {
                    setPassword('');
                    goTo('device');
                  }}
                >
                  I have no password
                </Button>
              )}
            </form>
          </Card>
        );
      case 'device':
        return password === '' ? (
          <Card title="Set A Passwordless Device" detail="Step 2 of 2">
            <PasskeyForm
              busy={busy}
              problem={problem}
              backLabel="Back"
              onName={name => setDevice({ method: 'Hardware Key', name, code: '' })}
              onBack={() => goTo('password')}
            />
          </Card>
        ) : (
          <Card title="Set Two-Factor Device" detail="Step 2 of 2">
            <DeviceForm
              methods={methodsOf(config.auth.second_factor).filter(method => method !== 'None')}
              busy={busy}
              problem={problem}
              secret={secret}
              onChoose={forget}
              onDevice={setDevice}
            >
              <BackButton disabled={busy} onClick={() => goTo('password')} />
            </DeviceForm>
          </Card>
        );
      default:
        return (
          <Accepted
            at={at}
            user={user.trim()}
            words={wordings.reset}
            isNew
            {...given}
            offersPasskey={false}
            answers={nobody}
            onAnswers={() => undefined}
            onTurn={turn => setAt(next(at, turn, nothing))}
          />
        );
    }
  };
  return <Slide at={places.indexOf(at)}>{card()}</Slide>;
}

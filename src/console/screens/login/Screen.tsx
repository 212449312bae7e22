import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { Challenge } from '../../../contract/mfa.ts';
import { signIn } from '../../../contract/session.ts';
import { signInForm } from '../../../contract/sign-in-form.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { createLazy } from '../../ui/lazy.tsx';
import { Slide } from '../../wizards/Slide.tsx';
import { Card } from '../Card.tsx';
import { usePage } from '../page.tsx';
import styles from './login.module.css';
import { Providers } from './Providers.tsx';
import { signInRefused } from './refused.ts';

/** Fetched only where a second step is asked: every other page would carry it. */
const secondStep = () => import('./SecondStep.tsx');
const SecondStep = createLazy(async () => (await secondStep()).SecondStep);
const Passkey = createLazy(async () => (await import('./Passkey.tsx')).Passkey, null);

/** Signing in: the message of the day first, then user name and password, then what else is asked; or a passkey alone. */
export default function Login() {
  const { config, query, api, enter } = usePage();
  const [read, setRead] = useState(config.auth.motd === '');
  const [user, setUser] = useState('');
  const [pass, setPass] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [tried, setTried] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const isPasskeyFirst = config.auth.allowPasswordless && config.auth.localConnectorName === 'passwordless';
  const [isAtOthers, setAtOthers] = useState(false);
  // The page that came drawn has no passkeys, which need a script.
  const [isAlive, setAlive] = useState(false);
  useEffect(() => {
    setAlive(true);
    if (config.auth.second_factor !== 'off') void SecondStep.load().catch(() => undefined);
  }, [config]);
  const passField = useRef<HTMLInputElement>(null);
  const userField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);

  // Where the form came drawn with the page, something may have been typed already, and sent.
  const sent = useRef(false);
  useLayoutEffect(() => {
    const [typedUser = '', typedPass = ''] = [userField.current?.value, passField.current?.value];
    if (typedUser !== '') setUser(typedUser);
    if (typedPass !== '') setPass(typedPass);
    sent.current = form.current?.hasAttribute('data-sent') ?? false;
    form.current?.removeAttribute('data-sent');
  }, []);
  useEffect(() => {
    // What was typed has to be known before it can be sent.
    if (!sent.current || user + pass === '') return;
    sent.current = false;
    form.current?.requestSubmit();
  }, [user, pass]);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (user.trim() === '') return userField.current?.focus();
    if (pass === '') return passField.current?.focus();
    setBusy(true);
    setProblem('');
    try {
      if (config.auth.second_factor !== 'off') {
        const { begin } = await secondStep();
        const asked = await begin(api, user.trim(), pass);
        if (asked.totp_challenge || asked.webauthn_challenge !== null) {
          setBusy(false);
          return setChallenge(asked);
        }
      }
      const reply = await api(signIn, { body: { user: user.trim(), pass } });
      enter(query.redirect_uri ?? '', reply);
    } catch (error) {
      setBusy(false);
      setPass('');
      setTried(false);
      setProblem(signInRefused(toApiError(error)));
      passField.current?.focus();
    }
  };

  if (!read) {
    return (
      <Card title="Before you sign in">
        <p style={{ whiteSpace: 'pre-wrap' }}>{config.auth.motd}</p>
        <Button kind="primary" size="large" autoFocus onClick={() => setRead(true)}>
          Acknowledge
        </Button>
      </Card>
    );
  }
  const ways = signInForm(config.auth);
  if (ways === null) {
    return (
      <Card title="Sign in to Postern">
        <p>Login has not been enabled for this cluster. Whoever runs it can change that.</p>
      </Card>
    );
  }
  const isConnectorFirst = ways === 'connectorsFirst' || ways === 'connectors';
  const providers = ways !== 'password' && (
    <Providers providers={config.auth.providers} redirect={query.redirect_uri ?? ''} isFirst={isConnectorFirst} />
  );
  const or = (ways === 'connectorsFirst' || ways === 'passwordFirst') && <p className={styles.or}>or</p>;
  if (ways === 'connectors')
    return (
      <Card title="Sign in to Postern" detail={config.proxyCluster}>
        {providers}
      </Card>
    );
  if (challenge !== null)
    return (
      <Slide at={2}>
        <Card title="Second step" detail={user.trim()}>
          <SecondStep.Component
            user={user.trim()}
            pass={pass}
            challenge={challenge}
            onBack={() => {
              setChallenge(null);
              setPass('');
              setTried(false);
            }}
          />
        </Card>
      </Slide>
    );
  if (isPasskeyFirst && !isAtOthers)
    return (
      <Slide at={0}>
        <Card title="Sign in to Postern" detail={config.proxyCluster}>
          <Passkey.Component isFirst />
          <Button kind="quiet" onClick={() => setAtOthers(true)}>
            Other sign-in options
          </Button>
        </Card>
      </Slide>
    );
  return (
    <Slide at={1}>
      <Card title="Sign in to Postern" detail={config.proxyCluster}>
        {isConnectorFirst && providers}
        {isConnectorFirst && or}
        {/* The method is for a browser that sends it by itself: a password must not get into an address. */}
        <form ref={form} method="post" onSubmit={event => void submit(event)} noValidate>
          {problem !== '' && <Alert>{problem}</Alert>}
          <Field
            ref={userField}
            label="Username"
            name="username"
            autoFocus={!isConnectorFirst}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={user}
            error={tried && user.trim() === '' ? 'Username is required' : undefined}
            onChange={event => setUser(event.target.value)}
          />
          <Field
            ref={passField}
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={pass}
            error={tried && pass === '' ? 'Password is required' : undefined}
            onChange={event => setPass(event.target.value)}
          />
          <Button kind={isConnectorFirst ? 'secondary' : 'primary'} size="large" type="submit" disabled={busy}>
            Sign in
          </Button>
        </form>
        {!isConnectorFirst && or}
        {!isConnectorFirst && providers}
        {isAlive && config.auth.allowPasswordless && !isPasskeyFirst && <Passkey.Component isFirst={false} />}
        {isPasskeyFirst && (
          <Button kind="quiet" onClick={() => setAtOthers(false)}>
            Back
          </Button>
        )}
      </Card>
    </Slide>
  );
}

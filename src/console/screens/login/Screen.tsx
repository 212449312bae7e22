import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { signIn } from '../../../contract/session.ts';
import { signInForm } from '../../../contract/sign-in-form.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Card } from '../Card.tsx';
import { usePage } from '../page.tsx';
import styles from './login.module.css';
import { Providers } from './Providers.tsx';
import { signInRefused } from './refused.ts';

/** Signing in: the message of the day first, then user name and password. */
export default function Login() {
  const { config, query, api, enter } = usePage();
  const [read, setRead] = useState(config.auth.motd === '');
  const [user, setUser] = useState('');
  const [pass, setPass] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [tried, setTried] = useState(false);
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
  return (
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
    </Card>
  );
}

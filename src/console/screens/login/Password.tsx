import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { Challenge } from '../../../contract/mfa.ts';
import { signIn } from '../../../contract/session.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { createLazy } from '../../ui/lazy.tsx';
import { usePage } from '../page.tsx';
import { RecoverLinks } from '../RecoverLinks.tsx';
import { signInRefused } from './refused.ts';

/** Fetched only where a second step is asked: every other page would carry it. */
const secondStep = () => import('./SecondStep.tsx');
export const SecondStep = createLazy(async () => (await secondStep()).SecondStep);

/** What is asked of somebody whose password was right. */
export interface SecondStepAsked {
  readonly user: string;
  readonly pass: string;
  readonly challenge: Challenge;
}

/** User name and password. What was typed and sent before this script was here counts. */
export function Password({
  user: userBefore,
  isFirst,
  onAsked,
  onKeyPolicy,
}: {
  /** The name of the last try. */
  readonly user: string;
  /** It is what this page is about. */
  readonly isFirst: boolean;
  readonly onAsked: (asked: SecondStepAsked) => void;
  /** Called when no browser may sign this person in. */
  readonly onKeyPolicy: () => void;
}) {
  const { config, query, api, enter } = usePage();
  const [user, setUser] = useState(userBefore);
  const [pass, setPass] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [tried, setTried] = useState(false);
  const passField = useRef<HTMLInputElement>(null);
  const userField = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (config.auth.second_factor !== 'off') void SecondStep.load().catch(() => undefined);
  }, [config]);

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
    const name = user.trim();
    if (name === '') return userField.current?.focus();
    if (pass === '') return passField.current?.focus();
    setBusy(true);
    setProblem('');
    try {
      if (config.auth.second_factor !== 'off') {
        const { begin, isAsked } = await secondStep();
        const challenge = await begin(api, name, pass);
        if (isAsked(challenge)) return onAsked({ user: name, pass, challenge });
      }
      enter(query.redirect_uri ?? '', await api(signIn, { body: { user: name, pass } }));
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code === 'hardware_key') return onKeyPolicy();
      setBusy(false);
      setPass('');
      setTried(false);
      setProblem(signInRefused(error));
      passField.current?.focus();
    }
  };

  return (
    // The method is for a browser that sends it by itself: a password must not get into an address.
    <form ref={form} method="post" onSubmit={event => void submit(event)} noValidate>
      {problem !== '' && <Alert>{problem}</Alert>}
      <Field
        ref={userField}
        label="Username"
        name="username"
        autoFocus={isFirst}
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
      <Button kind={isFirst ? 'primary' : 'secondary'} size="large" type="submit" disabled={busy}>
        Sign in
      </Button>
      <RecoverLinks />
    </form>
  );
}

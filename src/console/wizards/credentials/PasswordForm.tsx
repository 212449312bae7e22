import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { confirmProblem, passwordProblem } from './rules.ts';

/** Set A Password: validated on submit, then as it is mended. */
export function PasswordForm({
  user,
  least,
  busy,
  problem,
  submitLabel,
  onPassword,
  children,
}: {
  readonly user: string;
  readonly least: number;
  readonly busy: boolean;
  readonly problem: string;
  readonly submitLabel: string;
  readonly onPassword: (password: string) => void;
  /** Stands below the button. */
  readonly children?: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const [tried, setTried] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmField = useRef<HTMLInputElement>(null);
  const wrong = passwordProblem(password, least);
  const unlike = confirmProblem(password, confirmed);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (wrong !== undefined) passwordField.current?.focus();
    else if (unlike !== undefined) confirmField.current?.focus();
    else onPassword(password);
  };

  return (
    <form onSubmit={submit} noValidate>
      {problem !== '' && <Alert>{problem}</Alert>}
      <Field label="Username" name="username" autoComplete="username" readOnly value={user} />
      <Field
        ref={passwordField}
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        autoFocus
        value={password}
        tip={`At least ${least} characters`}
        error={tried ? wrong : undefined}
        onChange={event => setPassword(event.target.value)}
      />
      <Field
        ref={confirmField}
        label="Confirm Password"
        name="confirm"
        type="password"
        autoComplete="new-password"
        value={confirmed}
        error={tried ? unlike : undefined}
        onChange={event => setConfirmed(event.target.value)}
      />
      <Button kind="primary" size="large" type="submit" disabled={busy}>
        {submitLabel}
      </Button>
      {children}
    </form>
  );
}

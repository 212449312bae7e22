import { type FormEvent, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { confirmProblem, passwordProblem } from '../../wizards/credentials/rules.ts';
import { useGuard } from '../page.tsx';
import styles from './account.module.css';

const nothing = { before: '', next: '', confirmed: '', code: '' };

/** Current, new, and new again. Cleared when it worked. */
export function ChangePassword({
  user,
  least,
  takesCode,
  onChange,
}: {
  readonly user: string;
  readonly least: number;
  /** An authenticator app may be asked for. */
  readonly takesCode: boolean;
  readonly onChange: (before: string, next: string, code: string) => Promise<void>;
}) {
  const [typed, setTyped] = useState(nothing);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly kind: 'danger' | 'success'; readonly text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const wrong = {
    before: typed.before === '' ? 'Current password is required' : undefined,
    next: passwordProblem(typed.next, least),
    confirmed: confirmProblem(typed.next, typed.confirmed),
    code: undefined,
  };
  const field = (name: keyof typeof nothing) => ({
    name,
    type: 'password',
    value: typed[name],
    error: tried ? wrong[name] : undefined,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setTyped(now => ({ ...now, [name]: event.target.value })),
  });

  useGuard(
    Object.values(typed).some(value => value !== ''),
    'The new password has not been saved.',
  );

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const first = (['before', 'next', 'confirmed'] as const).find(name => wrong[name] !== undefined);
    if (first !== undefined) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setBusy(true);
    setSaid(null);
    try {
      await onChange(typed.before, typed.next, typed.code);
      setTyped(nothing);
      setTried(false);
      setSaid({ kind: 'success', text: 'Your password has been changed' });
    } catch (error) {
      setSaid({ kind: 'danger', text: toApiError(error).message });
    } finally {
      setBusy(false);
    }
  };

  return (
    <form ref={form} className={styles.form} onSubmit={event => void submit(event)} noValidate>
      {/* For password keepers: whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
      {said !== null && <Alert kind={said.kind}>{said.text}</Alert>}
      <Field label="Current Password" autoComplete="current-password" {...field('before')} />
      {takesCode && (
        <Field
          label="Authenticator Code"
          mono
          autoComplete="one-time-code"
          tip="Leave it empty to use your hardware key"
          {...field('code')}
          type="text"
        />
      )}
      <Field label="New Password" autoComplete="new-password" tip={`At least ${least} characters`} {...field('next')} />
      <Field label="Confirm Password" autoComplete="new-password" {...field('confirmed')} />
      <div>
        <Button kind="primary" size="large" type="submit" disabled={busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}

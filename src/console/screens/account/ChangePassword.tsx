import { type FormEvent, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { type Challenge, isAsked } from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { type Proof, ProveDialog } from '../../wizards/credentials/ProveDialog.tsx';
import { confirmProblem, passwordProblem } from '../../wizards/credentials/rules.ts';
import { useGuard } from '../page.tsx';
import styles from './account.module.css';

const nothing = { before: '', next: '', confirmed: '' };

/** Current, new, and new again; then what else is asked of whoever knows the current one. Cleared when it worked. */
export function ChangePassword({
  user,
  least,
  onBegin,
  onChange,
}: {
  readonly user: string;
  readonly least: number;
  /** What is asked of whoever knows this password, null where nothing is. */
  readonly onBegin: (before: string) => Promise<Challenge | null>;
  readonly onChange: (before: string, next: string, proof: Proof) => Promise<void>;
}) {
  const [typed, setTyped] = useState(nothing);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [said, setSaid] = useState<{ readonly kind: 'danger' | 'success'; readonly text: string } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const wrong = {
    before: typed.before === '' ? 'Current password is required' : undefined,
    next: passwordProblem(typed.next, least),
    confirmed: confirmProblem(typed.next, typed.confirmed),
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

  const change = async (proof: Proof): Promise<void> => {
    await onChange(typed.before, typed.next, proof);
    setChallenge(null);
    setTyped(nothing);
    setTried(false);
    setSaid({ kind: 'success', text: 'Your password has been changed' });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const first = (['before', 'next', 'confirmed'] as const).find(name => wrong[name] !== undefined);
    if (first !== undefined) return form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setBusy(true);
    setSaid(null);
    try {
      const asked = await onBegin(typed.before);
      if (asked !== null && isAsked(asked)) setChallenge(asked);
      else await change({});
    } catch (error) {
      setSaid({ kind: 'danger', text: toApiError(error).message });
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <form ref={form} className={styles.form} onSubmit={event => void submit(event)} noValidate>
        {/* For password keepers: whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={user} readOnly hidden />
        {said !== null && <Alert kind={said.kind}>{said.text}</Alert>}
        <Field label="Current Password" autoComplete="current-password" {...field('before')} />
        <Field
          label="New Password"
          autoComplete="new-password"
          tip={`At least ${least} characters`}
          {...field('next')}
        />
        <Field label="Confirm Password" autoComplete="new-password" {...field('confirmed')} />
        <div>
          <Button kind="primary" size="large" type="submit" disabled={busy}>
            Change password
          </Button>
        </div>
      </form>
      {challenge !== null && (
        <ProveDialog
          title="Change password"
          challenge={challenge}
          askAgain={async () => (await onBegin(typed.before)) ?? challenge}
          onProof={change}
          onCancel={() => setChallenge(null)}
        />
      )}
    </>
  );
}

import { type FormEvent, useState } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { BackButton } from './BackButton.tsx';
import { isFirefox } from './hardware-key.ts';
import { PASSWORDLESS_NAME } from './methods.ts';

/** Set A Passwordless Device. */
export function PasskeyForm({
  busy,
  problem,
  backLabel,
  onName,
  onBack,
}: {
  readonly busy: boolean;
  readonly problem: string;
  readonly backLabel: string;
  readonly onName: (name: string) => void;
  readonly onBack: () => void;
}) {
  const [name, setName] = useState(PASSWORDLESS_NAME);
  const [tried, setTried] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      {problem !== '' && <Alert>{problem}</Alert>}
      {isFirefox() && (
        <Alert kind="warning">Firefox may not support passwordless register. Please try Chrome or Safari.</Alert>
      )}
      <p>A passkey on this device, a phone or a security key signs you in without a password.</p>
      <Field
        label="Device Name"
        name="name"
        autoComplete="off"
        autoFocus
        value={name}
        error={tried && name.trim() === '' ? 'Device name is required' : undefined}
        onChange={event => setName(event.target.value)}
      />
      <Button kind="primary" size="large" type="submit" disabled={busy}>
        Submit
      </Button>
      <BackButton label={backLabel} onClick={onBack} disabled={busy} />
    </form>
  );
}

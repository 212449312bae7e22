import { useCallback, useEffect, useRef } from 'react';
import { addDevice } from '../../../contract/mfa.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DeviceForm, type GivenDevice } from '../../wizards/credentials/DeviceForm.tsx';
import { methodsOf, PASSWORDLESS_NAME } from '../../wizards/credentials/methods.ts';
import { PasskeyForm } from '../../wizards/credentials/PasskeyForm.tsx';
import { appSecretFor, newKeyFor } from '../../wizards/credentials/registration.ts';
import { useAttempt } from '../../wizards/use-attempt.ts';
import { usePage } from '../page.tsx';
import styles from './account.module.css';

/** Adds a device with a privilege token: one that is chosen, or a passkey, which is asked for at once. */
export function AddDevice({
  token,
  isPasskey,
  onAdded,
  onCancel,
}: {
  readonly token: string;
  readonly isPasskey: boolean;
  readonly onAdded: (name: string) => void;
  readonly onCancel: () => void;
}) {
  const { api, config } = usePage();
  const { busy, problem, attempt, forget } = useAttempt();
  const secret = useCallback(() => appSecretFor(api, token), [api, token]);
  const add = useCallback(
    ({ method, name, code, isPasswordless }: GivenDevice): Promise<void> =>
      attempt(async () => {
        const body = { tokenId: token, deviceName: name };
        if (method === 'Authenticator App') await api(addDevice, { body: { ...body, secondFactorToken: code } });
        else {
          const deviceUsage = isPasswordless ? 'passwordless' : 'mfa';
          const webauthnRegisterResponse = await newKeyFor(api, token, deviceUsage);
          await api(addDevice, { body: { ...body, webauthnRegisterResponse, deviceUsage } });
        }
        onAdded(name);
      }),
    [api, token, onAdded, attempt],
  );
  const addPasskey = useCallback(
    (name: string) => void add({ method: 'Hardware Key', name, code: '', isPasswordless: true }),
    [add],
  );
  const begun = useRef(false);
  useEffect(() => {
    if (!isPasskey || begun.current) return;
    begun.current = true;
    addPasskey(PASSWORDLESS_NAME);
  }, [isPasskey, addPasskey]);

  if (isPasskey)
    return (
      <Dialog title="Create a passkey">
        <div className={styles.form}>
          <PasskeyForm busy={busy} problem={problem} backLabel="Cancel" onName={addPasskey} onBack={onCancel} />
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Add a two-factor device">
      <div className={styles.form}>
        <DeviceForm
          methods={methodsOf(config.auth.second_factor).filter(method => method !== 'None')}
          asksPasswordless={config.auth.allowPasswordless}
          busy={busy}
          problem={problem}
          secret={secret}
          submitLabel="Add device"
          onChoose={forget}
          onDevice={device => void add(device)}
        >
          <Button onClick={onCancel} disabled={busy}>
            Cancel
          </Button>
        </DeviceForm>
      </div>
    </Dialog>
  );
}

import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import {
  addDevice,
  authenticateChallenge,
  createPrivilegeToken,
  type Device,
  listDevices,
  registerChallenge,
  removeDevice,
} from '../../../contract/mfa.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { type AppSecret, DeviceForm } from '../../wizards/credentials/DeviceForm.tsx';
import { createKey } from '../../wizards/credentials/hardware-key.ts';
import { type Method, methodsOf } from '../../wizards/credentials/methods.ts';
import { usePage } from '../page.tsx';
import styles from './account.module.css';
import { proofFor } from './proof.ts';

/** What a person is about to do, once they have proved who they are. */
type Wish = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly name: string };

/** One's devices of the second factor: what there is, adding one, removing one. */
export function Devices() {
  const { api, config, notify } = usePage();
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [wish, setWish] = useState<Wish | null>(null);
  const [token, setToken] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  const load = useCallback(() => {
    api(listDevices).then(setDevices, (error: unknown) => setProblem(toApiError(error).message));
  }, [api]);
  useEffect(load, [load]);
  const secret = useCallback(async (): Promise<AppSecret> => {
    const { totp } = await api(registerChallenge, { params: { token }, body: { deviceType: 'totp' } });
    if (totp === null) throw new Error('The QR code cannot be had');
    return totp;
  }, [api, token]);

  const begin = (wanted: Wish | null): void => {
    setWish(wanted);
    setToken('');
    setCode('');
    setProblem('');
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      setProblem(toApiError(error).message);
    } finally {
      setBusy(false);
    }
  };
  const done = (said: string): void => {
    notify(said);
    begin(null);
    load();
  };
  const prove = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(async () => {
      const given = await proofFor(await api(authenticateChallenge), code);
      const body = { secondFactorToken: given.code ?? null, webauthnAssertionResponse: given.assertion ?? null };
      const privilege = await api(createPrivilegeToken, { body });
      if (wish?.kind !== 'remove') return setToken(privilege);
      await api(removeDevice, { params: { token: privilege, name: wish.name } });
      done(`Device ${wish.name} has been removed`);
    });
  };
  const add = ({
    method,
    name,
    code: typed,
  }: {
    readonly method: Method;
    readonly name: string;
    readonly code: string;
  }) =>
    void attempt(async () => {
      const body = { tokenId: token, deviceName: name };
      if (method === 'Authenticator App') await api(addDevice, { body: { ...body, secondFactorToken: typed } });
      else {
        const asked = { deviceType: 'webauthn', deviceUsage: 'mfa' } as const;
        const { webauthn } = await api(registerChallenge, { params: { token }, body: asked });
        if (webauthn === null) throw new Error('error creating credential, please try again');
        await api(addDevice, { body: { ...body, webauthnRegisterResponse: await createKey(webauthn) } });
      }
      done(`Device ${name} has been added`);
    });

  const takesApps = config.auth.second_factor !== 'webauthn';
  return (
    <section className={styles.card} aria-labelledby="account-devices">
      <h2 id="account-devices">Two-factor devices</h2>
      {problem !== '' && <Alert>{problem}</Alert>}
      <ul className={styles.devices}>
        {devices.map(({ id, name, type, addedAt, lastUsed }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{`${type === 'TOTP' ? 'Authenticator App' : 'Hardware Key'}, added ${addedAt.slice(0, 10)}, last used ${lastUsed.slice(0, 10)}`}</span>
            <Button aria-label={`Remove ${name}`} onClick={() => begin({ kind: 'remove', name })}>
              Remove
            </Button>
          </li>
        ))}
        {devices.length === 0 && <li>You have no devices.</li>}
      </ul>
      {wish === null && <Button onClick={() => begin({ kind: 'add' })}>Add two-factor device</Button>}
      {wish !== null && token === '' && (
        <form className={styles.form} onSubmit={prove} noValidate>
          <p>
            {wish.kind === 'remove'
              ? `Remove ${wish.name}? Prove first that it is you.`
              : 'Prove first that it is you.'}
          </p>
          {takesApps && devices.length > 0 && (
            <Field
              label="Authenticator Code"
              name="proof"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              mono
              tip="Leave it empty to use your hardware key"
              value={code}
              onChange={event => setCode(event.target.value)}
            />
          )}
          <div className={styles.actions}>
            <Button kind={wish.kind === 'remove' ? 'danger' : 'primary'} type="submit" disabled={busy}>
              {wish.kind === 'remove' ? 'Yes, remove' : 'Continue'}
            </Button>
            <Button onClick={() => begin(null)}>Cancel</Button>
          </div>
        </form>
      )}
      {wish !== null && token !== '' && (
        <div className={styles.form}>
          <DeviceForm
            methods={methodsOf(config.auth.second_factor).filter(method => method !== 'None')}
            busy={busy}
            problem=""
            secret={secret}
            submitLabel="Add device"
            onDevice={add}
          >
            <Button onClick={() => begin(null)}>Cancel</Button>
          </DeviceForm>
        </div>
      )}
    </section>
  );
}

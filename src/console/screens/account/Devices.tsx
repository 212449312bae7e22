import { useCallback, useEffect, useState } from 'react';
import { textChoice } from '../../../../commands/answer.ts';
import { toApiError } from '../../../client/errors.ts';
import { type Device, listDevices } from '../../../contract/devices.ts';
import { removeDevice } from '../../../contract/mfa.ts';
import { dateTime } from '../../../features/times.ts';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { usePage } from '../page.tsx';
import { AddDevice } from './AddDevice.tsx';
import styles from './account.module.css';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Privileged } from './Privileged.tsx';

const descriptions: Readonly<Record<Device['type'], string>> = {
  TOTP: 'Authenticator App',
  U2F: 'Hardware Key',
  WebAuthn: 'Hardware Key',
};
const describe = ({ type, passwordless, addedAt, lastUsed }: Device): string =>
  `${descriptions[type] ?? 'unknown device'}${passwordless ? ' that signs in without a password' : ''}, added ${dateTime(addedAt)}, last used ${dateTime(lastUsed)}`;

/** One's devices of the second factor, the newest first. What is being done stands in the address: `?add=device`, `?add=passkey`, `?remove=NAME`. */
export function Devices() {
  const { api, config, notify, query, setQuery } = usePage();
  const [devices, setDevices] = useState<readonly Device[] | null>(null);
  const [problem, setProblem] = useState('');
  const { second_factor: setting, allowPasswordless } = config.auth;

  const load = useCallback(() => {
    api(listDevices).then(
      found => setDevices(found.toSorted((one, other) => other.addedAt.localeCompare(one.addedAt))),
      (error: unknown) => setProblem(toApiError(error).message),
    );
  }, [api]);
  useEffect(load, [load]);
  const close = useCallback(() => setQuery({ add: undefined, remove: undefined }), [setQuery]);
  const done = (said: string): void => {
    notify(said);
    close();
    load();
  };
  const isPasskey = query.add === 'passkey' && allowPasswordless;
  const removed = devices?.find(({ name }) => name === query.remove)?.name;
  return (
    <section id="devices" tabIndex={-1} className={styles.card} aria-labelledby="account-devices">
      <h2 id="account-devices">Two-factor devices</h2>
      {problem !== '' && <Alert>{problem}</Alert>}
      {setting === 'off' && !allowPasswordless && <p>This cluster asks for no second factor.</p>}
      <ul className={styles.devices}>
        {devices?.map(device => (
          <li key={device.id}>
            <strong>{device.name}</strong>
            <span>{describe(device)}</span>
            <CommandButton
              id="account.removeDevice"
              kind="danger"
              given={{ device: textChoice(device.name) }}
              aria-label={`Remove ${device.name}`}
              closed={device.kept}
            >
              Remove
            </CommandButton>
          </li>
        ))}
        {devices?.length === 0 && <li>You have no devices.</li>}
      </ul>
      <div className={styles.actions}>
        <CommandButton id="account.addDevice" />
        <CommandButton id="account.addPasskey" />
      </div>
      {(isPasskey || (query.add === 'device' && setting !== 'off')) && (
        <Privileged key={query.add} title={isPasskey ? 'Create a passkey' : 'Add a two-factor device'} onCancel={close}>
          {token => (
            <AddDevice
              token={token}
              isPasskey={isPasskey}
              onAdded={name => done(`Device ${name} has been added`)}
              onCancel={close}
            />
          )}
        </Privileged>
      )}
      {removed !== undefined && (
        <Privileged key={removed} title={`Remove ${removed}`} onCancel={close}>
          {token => (
            <ConfirmDialog
              title={`Remove ${removed}?`}
              text="It can no longer be used to sign in."
              action="Yes, remove"
              onConfirm={async () => {
                await api(removeDevice, { params: { token, name: removed } });
                done(`Device ${removed} has been removed`);
              }}
              onCancel={close}
            />
          )}
        </Privileged>
      )}
    </section>
  );
}

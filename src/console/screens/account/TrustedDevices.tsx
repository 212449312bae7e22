import { useCallback, useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { type DeviceTrust, getDeviceTrust, type TrustedDevice } from '../../../contract/trusted-devices.ts';
import { keyWords } from '../../../features/key-words.ts';
import { dateTime } from '../../../features/times.ts';
import { ManualLink } from '../../manual/ManualLink.tsx';
import { CommandButton } from '../../palette/CommandButton.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { usePage } from '../page.tsx';
import styles from './account.module.css';

const describe = ({ enroll_time = '', key_in = 'browser' }: TrustedDevice): string =>
  `${keyWords[key_in]}, enrolled ${dateTime(enroll_time)}`;

/** Whether this browser is a trusted device, and what else of one's own is. */
export function TrustedDevices() {
  const { api, onChange, who } = usePage();
  const [trust, setTrust] = useState<DeviceTrust | null>(null);
  const [problem, setProblem] = useState('');
  const load = useCallback(() => {
    api(getDeviceTrust).then(setTrust, (error: unknown) => setProblem(toApiError(error).message));
  }, [api]);
  // Also once it is known to be of another device.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person is read anew when this browser was enrolled.
  useEffect(load, [load, who?.trustedDevice?.id]);
  useEffect(() => onChange(load), [onChange, load]);
  const here = trust?.device ?? null;
  const others = trust?.own.filter(({ id }) => id !== here?.id) ?? [];
  return (
    <section id="device" tabIndex={-1} className={styles.card} aria-labelledby="account-trust">
      <h2 id="account-trust">Trusted devices</h2>
      {problem !== '' && <Alert>{problem}</Alert>}
      {trust !== null && here === null && (
        <>
          <p>
            {trust.mode === 'required'
              ? 'Your sessions are opened from trusted devices only, and this browser is none that you are signed in from.'
              : 'This browser is no trusted device.'}
          </p>
          <div className={styles.actions}>
            <CommandButton id="device.enroll">Enroll this browser…</CommandButton>
            <ManualLink id="trustDevice" />
          </div>
        </>
      )}
      {here !== null && (
        <ul className={styles.devices}>
          <li aria-current="true">
            <strong>{here.asset_tag}</strong>
            <span>{describe(here)}</span>
            <em>This browser</em>
          </li>
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.devices} aria-label="Other trusted devices">
          {others.map(device => (
            <li key={device.id}>
              <strong>{device.asset_tag}</strong>
              <span>{device.locked ?? describe(device)}</span>
            </li>
          ))}
        </ul>
      )}
      {here !== null && <CommandButton id="device.forget">Forget this browser…</CommandButton>}
    </section>
  );
}

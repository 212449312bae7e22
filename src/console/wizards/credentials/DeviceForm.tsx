import { Fingerprint, KeyRound, Smartphone, Usb, Watch } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Snippet } from '../../ui/Snippet.tsx';
import styles from './device-form.module.css';
import { defaultName, deviceProblems, type Method, PASSWORDLESS_NAME } from './methods.ts';

/** What an authenticator app reads. */
export interface AppSecret {
  /** PNG, base64. */
  readonly qrCode: string;
  readonly secret: string;
}

/** A device as the form has it. */
export interface GivenDevice {
  readonly method: Method;
  readonly name: string;
  readonly code: string;
  readonly isPasswordless: boolean;
}

const YES = 'Yes, sign in with it alone';
const NO = 'No, use it beside the password';

/** Set Two-Factor Device: a hardware key, an authenticator app with its QR code, or none where that is allowed. */
export function DeviceForm({
  methods,
  asksPasswordless = false,
  busy,
  problem,
  secret,
  submitLabel = 'Submit',
  onChoose,
  onDevice,
  children,
}: {
  readonly methods: readonly Method[];
  /** A hardware key may become one that signs in without a password. */
  readonly asksPasswordless?: boolean;
  readonly busy: boolean;
  readonly problem: string;
  /** Asks the gateway for what an authenticator app reads. */
  readonly secret: () => Promise<AppSecret>;
  readonly submitLabel?: string;
  /** Another method was chosen: what was said of the last try no longer counts. */
  readonly onChoose: () => void;
  readonly onDevice: (device: GivenDevice) => void;
  /** Stands below the button. */
  readonly children?: ReactNode;
}) {
  const [first = 'None'] = methods;
  const [method, setMethod] = useState<Method>(first);
  const [name, setName] = useState(defaultName[first]);
  const [code, setCode] = useState('');
  const [isPasswordless, setPasswordless] = useState(false);
  const [tried, setTried] = useState(false);
  const [app, setApp] = useState<AppSecret | null>(null);
  const [failed, setFailed] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const wrong = tried ? deviceProblems(method, name, code) : {};

  const isApp = method === 'Authenticator App';
  useEffect(() => {
    if (!isApp) return;
    let isGone = false;
    secret().then(
      shown => isGone || setApp(shown),
      (error: unknown) => isGone || setFailed(toApiError(error).message),
    );
    return () => {
      isGone = true;
    };
  }, [isApp, secret]);

  const choose = (chosen: Method): void => {
    setMethod(chosen);
    setName(defaultName[chosen]);
    setCode('');
    setTried(false);
    setFailed('');
    setPasswordless(false);
    onChoose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const [missing] = Object.keys(deviceProblems(method, name, code));
    if (missing !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus();
    else onDevice({ method, name: name.trim(), code: code.trim(), isPasswordless });
  };
  const said = failed || problem;

  return (
    <form ref={form} onSubmit={submit} noValidate>
      {said !== '' && <Alert>{said}</Alert>}
      {methods.length > 1 && (
        <Select
          label="Two-Factor Method"
          name="method"
          choices={methods}
          autoFocus
          value={method}
          onChange={event => choose(event.target.value as Method)}
        />
      )}
      {method === 'Hardware Key' && (
        <div>
          <p className={styles.kinds} aria-hidden="true">
            <Usb /> <KeyRound /> <Fingerprint /> <Smartphone /> <Watch />
          </p>
          <p>
            Security keys, Touch ID, Windows Hello, phones, watches and more can be used. Your browser asks for it next.
          </p>
        </div>
      )}
      {method === 'None' && (
        <p>
          We recommend that you enroll a two-factor device: with a password alone, whoever learns it can sign in as you.
        </p>
      )}
      {method === 'Hardware Key' && asksPasswordless && (
        <Select
          label="Allow Passwordless?"
          name="passwordless"
          choices={[NO, YES]}
          value={isPasswordless ? YES : NO}
          onChange={event => {
            const isChosen = event.target.value === YES;
            setPasswordless(isChosen);
            // A name that was typed stays.
            const [before, after] = [defaultName[method], PASSWORDLESS_NAME];
            setName(now => (now === (isChosen ? before : after) ? (isChosen ? after : before) : now));
          }}
        />
      )}
      {isApp && app !== null && (
        <div className={styles.app}>
          <img
            className={styles.qr}
            src={`data:image/png;base64,${app.qrCode}`}
            width={145}
            height={145}
            alt="QR code for an authenticator app"
          />
          <div>
            <p>Scan the code with your authenticator app, or type this key into it:</p>
            <Snippet label="the key" text={app.secret} />
          </div>
        </div>
      )}
      {method !== 'None' && (
        <Field
          label="Device Name"
          name="name"
          autoComplete="off"
          autoFocus={methods.length === 1 && !isApp}
          value={name}
          error={wrong.name}
          onChange={event => setName(event.target.value)}
        />
      )}
      {isApp && (
        <Field
          label="Authenticator Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus={methods.length === 1}
          mono
          value={code}
          error={wrong.code}
          onChange={event => setCode(event.target.value)}
        />
      )}
      <Button kind="primary" size="large" type="submit" disabled={busy}>
        {submitLabel}
      </Button>
      {children}
    </form>
  );
}

import { useEffect } from 'react';
import { base64OfText } from '../../../client/base64.ts';
import { changePassword } from '../../../contract/credentials.ts';
import { authenticateChallenge, passwordChallenge } from '../../../contract/mfa.ts';
import type { FeatureId } from '../../../features/table.ts';
import { KeyboardSettings } from '../../palette/KeyboardSettings.tsx';
import { joined } from '../../ui/joined.ts';
import type { Proof } from '../../wizards/credentials/ProveDialog.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './account.module.css';
import { ChangePassword } from './ChangePassword.tsx';
import { Codes } from './Codes.tsx';
import { Devices } from './Devices.tsx';
import { FirstPassword } from './FirstPassword.tsx';
import { Sessions } from './Sessions.tsx';
import { TrustedDevices } from './TrustedDevices.tsx';

/** The part of the page that an address leads to. */
const places: Readonly<Partial<Record<FeatureId, string>>> = { accountPassword: 'password', accountDevices: 'devices' };

/** One's own account: who one is here, the password, and the keys. */
export default function Account() {
  const { api, who, config, notify, query, feature, reloadUser } = usePage();
  const place = query.at === 'keyboard' ? 'keyboard' : places[feature];
  useEffect(() => {
    const section = place === undefined ? null : document.getElementById(place);
    section?.scrollIntoView({ block: place === 'keyboard' ? 'start' : 'nearest' });
    section?.focus({ preventScroll: true });
  }, [place]);
  if (who === null) return null;
  const isSso = who.authType === 'sso';
  const { hasPassword } = who;
  const save = (before: string | null, next: string, { code, assertion }: Proof) =>
    api(changePassword, {
      body: {
        old_password: before === null ? null : base64OfText(before),
        new_password: base64OfText(next),
        second_factor_token: code ?? null,
        webauthnAssertionResponse: assertion ?? null,
      },
    });
  const hasFactors = config.auth.second_factor !== 'off';
  return (
    <ListPage title="Account Settings">
      <div className={styles.columns}>
        <section className={styles.card} aria-labelledby="account-who">
          <h2 id="account-who">You</h2>
          <dl className={styles.facts}>
            <dt>Username</dt>
            <dd>
              <code>{who.userName}</code>
            </dd>
            <dt>Roles</dt>
            <dd>
              <code>{who.roles.join(', ') || 'none'}</code>
            </dd>
            <dt>Sign-in</dt>
            <dd>{isSso ? 'Single sign-on: your password is kept by the provider' : 'Local user'}</dd>
          </dl>
        </section>
        {!isSso && (
          <section id="password" tabIndex={-1} className={styles.card} aria-labelledby="account-password">
            <h2 id="account-password">{hasPassword ? 'Change password' : 'Password'}</h2>
            {hasPassword ? (
              <ChangePassword
                user={who.userName}
                least={config.passwordLeastCharacters}
                onBegin={async before =>
                  hasFactors ? api(passwordChallenge, { body: { pass: base64OfText(before) } }) : null
                }
                onChange={async (before, next, proof) => {
                  await save(before, next, proof);
                  notify('Your password has been changed. Your other sessions have been signed out.');
                }}
              />
            ) : (
              <FirstPassword
                user={who.userName}
                onAsk={() => api(authenticateChallenge)}
                onSet={async (next, proof) => {
                  await save(null, next, proof);
                  await reloadUser();
                  notify('Your password has been set. Your other sessions have been signed out.');
                }}
              />
            )}
          </section>
        )}
        <Sessions />
        <TrustedDevices />
        {who.authType === 'local' && <Devices />}
        {who.authType === 'local' && config.recoveryCodesEnabled && <Codes user={who.userName} />}
      </div>
      <section
        id="keyboard"
        tabIndex={-1}
        className={joined(styles.card, styles.wide)}
        aria-labelledby="account-keyboard"
      >
        <h2 id="account-keyboard">Keyboard</h2>
        <KeyboardSettings />
      </section>
    </ListPage>
  );
}

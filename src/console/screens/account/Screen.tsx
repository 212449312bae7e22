import { useEffect, useRef } from 'react';
import { base64OfText } from '../../../client/base64.ts';
import { changePassword } from '../../../contract/credentials.ts';
import { passwordChallenge } from '../../../contract/mfa.ts';
import { KeyboardSettings } from '../../palette/KeyboardSettings.tsx';
import { joined } from '../../ui/joined.ts';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import styles from './account.module.css';
import { ChangePassword } from './ChangePassword.tsx';
import { Devices } from './Devices.tsx';
import { proofFor } from './proof.ts';

/** One's own account: who one is here, the password, and the keys. */
export default function Account() {
  const { api, who, config, notify, query } = usePage();
  const keyboard = useRef<HTMLElement>(null);
  const isAtKeyboard = query.at === 'keyboard';
  useEffect(() => {
    if (!isAtKeyboard) return;
    keyboard.current?.scrollIntoView({ block: 'start' });
    keyboard.current?.focus({ preventScroll: true });
  }, [isAtKeyboard]);
  if (who === null) return null;
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
            <dd>{who.authType === 'sso' ? 'Single sign-on' : 'Username and password'}</dd>
          </dl>
        </section>
        <section className={styles.card} aria-labelledby="account-password">
          <h2 id="account-password">Change password</h2>
          {who.authType === 'sso' ? (
            <p>Your password is kept by the provider you sign in with.</p>
          ) : (
            <ChangePassword
              user={who.userName}
              least={config.passwordLeastCharacters}
              takesCode={hasFactors && config.auth.second_factor !== 'webauthn'}
              onChange={async (before, next, code) => {
                const old_password = base64OfText(before);
                const given = hasFactors
                  ? await proofFor(await api(passwordChallenge, { body: { pass: old_password } }), code)
                  : {};
                await api(changePassword, {
                  body: {
                    old_password,
                    new_password: base64OfText(next),
                    second_factor_token: given.code ?? null,
                    webauthnAssertionResponse: given.assertion ?? null,
                  },
                });
                notify('Your password has been changed. Your other sessions have been signed out.');
              }}
            />
          )}
        </section>
        {hasFactors && <Devices />}
      </div>
      <section
        ref={keyboard}
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

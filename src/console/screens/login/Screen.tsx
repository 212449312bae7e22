import { Fragment, type ReactNode, useCallback, useEffect, useState } from 'react';
import { type SignInWay, signInWays } from '../../../contract/sign-in-form.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { createLazy } from '../../ui/lazy.tsx';
import { Slide } from '../../wizards/Slide.tsx';
import { Card } from '../Card.tsx';
import { usePage } from '../page.tsx';
import styles from './login.module.css';
import { Password, SecondStep, type SecondStepAsked } from './Password.tsx';
import { Providers } from './Providers.tsx';

/** Fetched only where it is wanted: every other page would carry it. */
const Passkey = createLazy(async () => (await import('./Passkey.tsx')).Passkey, null);
const WebLoginDisabled = createLazy(async () => (await import('../WebLoginDisabled.tsx')).WebLoginDisabled, null);

/** The cards by the fragment that shows them: style sheets alone go from one to the other, so that it works before any script. */
const PRIMARY = 'sign-in';
const OTHERS = 'other';

const cardShown = (): HTMLElement | null => document.getElementById(location.hash.slice(1));
const focusFirst = (card: HTMLElement | null): void => card?.querySelector<HTMLElement>('input, button, a')?.focus();

/** Gives the keys to the card that a link has shown. What has been chosen there before the browser says so keeps them. */
const focusShown = (): void => {
  const card = cardShown();
  if (!card?.contains(document.activeElement)) focusFirst(card);
};

/** A card that was shown before all of it was there has given the keys to its way back: they go to what came. */
const focusLate = (): void => {
  if (document.activeElement?.matches(`a[href="#${PRIMARY}"]`)) focusFirst(cardShown());
};

/** Signing in: the message of the day first, then the primary way, with the others beside it; then what else is asked. */
export default function Login() {
  const { config, query, over } = usePage();
  const [read, setRead] = useState(config.auth.motd === '');
  const [user, setUser] = useState('');
  const [asked, setAsked] = useState<SecondStepAsked | null>(null);
  const [isRefused, setRefused] = useState(config.auth.privateKeyPolicy !== 'none');
  const refuse = useCallback(() => setRefused(true), []);
  // The page that came drawn has no passkeys, which need a script.
  const [isAlive, setAlive] = useState(false);
  useEffect(() => {
    setAlive(true);
    addEventListener('hashchange', focusShown);
    return () => removeEventListener('hashchange', focusShown);
  }, []);

  if (!read) {
    return (
      <Card title="Before you sign in">
        <p style={{ whiteSpace: 'pre-wrap' }}>{config.auth.motd}</p>
        <Button kind="primary" size="large" autoFocus onClick={() => setRead(true)}>
          Acknowledge
        </Button>
      </Card>
    );
  }
  if (isRefused) {
    const back = config.auth.privateKeyPolicy === 'none' ? () => setRefused(false) : undefined;
    return <WebLoginDisabled.Component title="Web UI Login Disabled" onBack={back} />;
  }
  const [primary, ...others] = signInWays(config.auth).filter(
    (way, index) => way !== 'passkey' || isAlive || index === 0,
  );
  if (primary === undefined) {
    return (
      <Card title="Sign in to Postern">
        <p>Login has not been enabled for this cluster.</p>
        <p>
          Whoever runs it enables passwords on its machine with <code>postern passwords accept yes</code>.
        </p>
      </Card>
    );
  }
  if (asked !== null)
    return (
      <Slide at={1}>
        <Card title="Second step" detail={asked.user}>
          <SecondStep.Component {...asked} onBack={() => setAsked(null)} onKeyPolicy={refuse} />
        </Card>
      </Slide>
    );
  const shown = (way: SignInWay): ReactNode => {
    const isFirst = way === primary;
    if (way === 'passkey') return <Passkey.Component isFirst={isFirst} onKeyPolicy={refuse} onDrawn={focusLate} />;
    if (way === 'connectors')
      return <Providers providers={config.auth.providers} redirect={query.redirect_uri ?? ''} isFirst={isFirst} />;
    return (
      <Password
        user={user}
        isFirst={isFirst}
        onAsked={more => {
          setUser(more.user);
          setAsked(more);
        }}
        onKeyPolicy={refuse}
      />
    );
  };
  return (
    <Slide at={0}>
      <div id={PRIMARY} className={styles.primary}>
        <Card title="Sign in to Postern" detail={config.proxyCluster}>
          {/* For whoever was brought here, not for whoever left. */}
          {isAlive && over !== '' && query.redirect_uri !== undefined && <Alert>{over}</Alert>}
          {shown(primary)}
          {others.length > 0 && (
            <a className={styles.turn} href={`#${OTHERS}`}>
              Other sign-in options
            </a>
          )}
        </Card>
      </div>
      {others.length > 0 && (
        <div id={OTHERS} className={styles.others}>
          <Card title="Other sign-in options" detail={config.proxyCluster}>
            {others.map((way, index) => (
              <Fragment key={way}>
                {index > 0 && <p className={styles.or}>Or</p>}
                {shown(way)}
              </Fragment>
            ))}
            <a className={styles.turn} href={`#${PRIMARY}`}>
              Back
            </a>
          </Card>
        </div>
      )}
    </Slide>
  );
}

import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { ConnectorKind } from '../../../contract/connectors.ts';
import { failures } from '../../../contract/failure.ts';
import type { ResourceItem } from '../../../contract/roles.ts';
import { beginSignInTest, getSignInTest, SIGN_IN_TEST_MS, type SignInTest } from '../../../contract/sign-in-tests.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { usePage } from '../page.tsx';
import styles from './connector.module.css';

/** While the person is at the provider, the gateway is asked this often, ms. */
const ASK_EVERY_MS = 1000;

const takeKeys = (link: HTMLAnchorElement | null): void => link?.focus();

/** Signs in at the provider in a tab of its own, and shows what would come of it here. */
export function TestDialog({ connector, onClose }: { readonly connector: ResourceItem; readonly onClose: () => void }) {
  const { api } = usePage();
  const [begun, setBegun] = useState<{ readonly id: string; readonly url: string } | null>(null);
  const [outcome, setOutcome] = useState<SignInTest | null>(null);
  const [problem, setProblem] = useState('');
  const { kind, name } = connector;

  useEffect(() => {
    api(beginSignInTest, { body: { kind: kind as ConnectorKind, name } }).then(setBegun, error =>
      setProblem(toApiError(error).message),
    );
  }, [api, kind, name]);
  useEffect(() => {
    if (begun === null || outcome !== null || problem !== '') return;
    const until = Date.now() + SIGN_IN_TEST_MS;
    const timer = setInterval(() => {
      if (Date.now() > until)
        return setProblem('Nobody came back from the provider in time. Close this, and begin the test again.');
      api(getSignInTest, { params: { id: begun.id } }).then(
        found => found.done && setOutcome(found),
        (error: unknown) => {
          const { code, message } = toApiError(error);
          // The next one may be answered.
          if (!failures[code].retry) setProblem(message);
        },
      );
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [api, begun, outcome, problem]);

  return (
    <Dialog
      title={`Test sign-in by ${name}`}
      onEscape={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {begun !== null && outcome === null && problem === '' && (
            // It comes when the gateway has answered, and takes the keys then.
            <ButtonLink href={begun.url} size="normal" ref={takeKeys}>
              Sign in at the provider
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={styles.whole} aria-live="polite">
        {problem !== '' && <Alert>{problem}</Alert>}
        {outcome === null ? (
          <p>Sign in at the provider in a tab of its own. Nobody is signed in here, and nothing is changed.</p>
        ) : (
          <Outcome outcome={outcome} />
        )}
      </div>
    </Dialog>
  );
}

function Outcome({
  outcome: { refused, user, roles = [], attributes = {}, loginRules = [], traits = {} },
}: {
  readonly outcome: SignInTest;
}) {
  const listed = (values: Readonly<Record<string, readonly string[]>>, of = '') =>
    Object.entries(values).map(
      ([name, texts]) => [`${of}${name}`, <code key={`${of}${name}`}>{texts.join(', ') || 'empty'}</code>] as const,
    );
  return (
    <>
      {refused === undefined ? (
        <Alert kind="info">{`${user} would be signed in with ${roles.join(', ')}.`}</Alert>
      ) : (
        <Alert>{`Nobody would be signed in: ${refused}.`}</Alert>
      )}
      {user !== undefined && (
        <Facts
          rows={[
            ['User', <code key="user">{user}</code>],
            ['Roles', <code key="roles">{roles.join(', ') || 'none'}</code>],
            ...listed(attributes),
            ...(loginRules.length > 0
              ? [
                  ['Login rules', <code key="rules">{loginRules.join(', ')}</code>] as const,
                  ...listed(traits, 'Trait after the rules: '),
                ]
              : []),
          ]}
        />
      )}
    </>
  );
}

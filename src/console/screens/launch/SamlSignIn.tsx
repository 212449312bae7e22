import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import type { Assertion } from '../../../contract/mfa.ts';
import { samlKeyChallenge, samlSignIn } from '../../../contract/saml-idp.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';

/** Signs the browser in to a service provider of SAML: as its own request says, which stands in the address as it came, or as we begin. */
export function SamlSignIn({ leave }: { readonly leave: (address: string) => void }) {
  const { api, query, who } = usePage();
  const { app = '', SAMLRequest } = query;
  const [problem, setProblem] = useState('');
  const [asksKey, setAsksKey] = useState('');
  // Its signature is over these very characters.
  const asked = SAMLRequest === undefined ? { app } : { query: location.search.slice(1) };
  const follow = (answer?: Assertion): Promise<void> =>
    api(samlSignIn, { body: { ...asked, webauthnAssertionResponse: answer } }).then(
      ({ address }) => leave(address),
      (error: unknown) => {
        const { message } = toApiError(error);
        // The words by which clients of this wire know that they must ask for a touch.
        if (message.startsWith('MFA required: ') && !answer) setAsksKey(message.slice('MFA required: '.length));
        else setProblem(message);
      },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: one way in for one link.
  useEffect(() => void follow(), [api, app, SAMLRequest]);

  const withKey = async (): Promise<void> => {
    setProblem('');
    try {
      const { askKey } = await import('../../wizards/credentials/hardware-key.ts');
      await follow(await askKey(await api(samlKeyChallenge, { body: asked })));
    } catch (error) {
      setProblem(toApiError(error).message);
    }
  };
  return (
    <ListPage title={app === '' ? 'Sign in to an application' : `Sign in to ${app}`}>
      {problem !== '' && <Alert>{problem}</Alert>}
      {asksKey !== '' ? (
        <>
          <p>
            A hardware key of {who?.userName} is needed: {asksKey}.
          </p>
          <Button kind="primary" size="large" autoFocus onClick={() => void withKey()}>
            Use hardware key
          </Button>
        </>
      ) : (
        problem === '' && <p role="status">Signing in to the application.</p>
      )}
    </ListPage>
  );
}

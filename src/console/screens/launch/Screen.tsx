import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { appKeyChallenge, createAppSession, getApp } from '../../../contract/applications.ts';
import type { MakeCall } from '../../../contract/call.ts';
import type { Assertion } from '../../../contract/mfa.ts';
import { SAML_LAUNCH } from '../../../contract/saml-idp.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { applicationOrigin, firstAddress, handOverAddress } from './addresses.ts';
import { SamlSignIn } from './SamlSignIn.tsx';

interface Wanted {
  readonly fqdn: string;
  /** What the application's host knows this browser by; '' when nobody has been there yet. */
  readonly state: string;
  readonly path: string;
  readonly query: string;
}

const toAddress = (address: string): void => location.replace(address);

/** Takes the browser to an application: through the gateway, or signed in to it by SAML. */
export default function Launch({ leave = toAddress }: { readonly leave?: (address: string) => void }) {
  const { params } = usePage();
  return params.fqdn === SAML_LAUNCH ? <SamlSignIn leave={leave} /> : <ThroughGateway leave={leave} />;
}

/** Takes the browser to an application: first to its host, which sends it back here for a session, and then in. */
function ThroughGateway({ leave }: { readonly leave: (address: string) => void }) {
  const { api, params, query, who } = usePage();
  const wanted: Wanted = {
    fqdn: params.fqdn ?? '',
    state: query.state ?? '',
    path: query.path ?? '/',
    query: query.query ?? '',
  };
  const [problem, setProblem] = useState('');
  const [asksKey, setAsksKey] = useState(false);
  const follow = (going: Promise<string>): void => {
    going.then(leave, (error: unknown) => {
      const { message } = toApiError(error);
      // The words by which clients of this wire know that they must ask for a touch.
      if (message.startsWith('MFA required') && !asksKey) setAsksKey(true);
      else setProblem(message);
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one way in for one link.
  useEffect(() => follow(addressOf(api, wanted)), [api, wanted.fqdn, wanted.state, wanted.path]);

  const withKey = async (): Promise<string> => {
    const { askKey } = await import('../../wizards/credentials/hardware-key.ts');
    return addressOf(api, wanted, await askKey(await api(appKeyChallenge, { body: { fqdn: wanted.fqdn } })));
  };
  return (
    <ListPage title={`Open ${wanted.fqdn}`}>
      {problem !== '' && <Alert>{problem}</Alert>}
      {asksKey ? (
        <>
          <p>Your roles ask for a hardware key for each session of {who?.userName}.</p>
          <Button
            kind="primary"
            size="large"
            autoFocus
            onClick={() => {
              setProblem('');
              follow(withKey());
            }}
          >
            Use hardware key
          </Button>
        </>
      ) : (
        problem === '' && <p role="status">Opening the application.</p>
      )}
    </ListPage>
  );
}

/** Where to go now. Rejects with ApiError. */
async function addressOf(api: MakeCall, { fqdn, state, path, query }: Wanted, answer?: Assertion): Promise<string> {
  if (state === '') {
    const found = await api(getApp, { params: { fqdn } });
    return firstAddress(applicationOrigin(location, found.fqdn), path, query);
  }
  const launched = await api(createAppSession, { body: { fqdn, webauthnAssertionResponse: answer } });
  return handOverAddress(applicationOrigin(location, launched.fqdn), launched.code, state, path);
}

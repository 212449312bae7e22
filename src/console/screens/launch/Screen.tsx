import { useEffect, useState } from 'react';
import { toApiError } from '../../../client/errors.ts';
import { AWS_ROLE_QUERY, appKeyChallenge, createAppSession, getApp } from '../../../contract/applications.ts';
import type { MakeCall } from '../../../contract/call.ts';
import type { Assertion } from '../../../contract/mfa.ts';
import { SAML_LAUNCH } from '../../../contract/saml-idp.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ListPage } from '../ListPage.tsx';
import { usePage } from '../page.tsx';
import { type AwsRole, AwsRoles } from './AwsRoles.tsx';
import { applicationOrigin, awsRoleIn, firstAddress, handOverAddress } from './addresses.ts';
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
  const [roles, setRoles] = useState<readonly AwsRole[]>([]);
  const [role, setRole] = useState(params.arn ?? awsRoleIn(wanted.path));
  const follow = (going: Promise<string | null>): void => {
    going.then(
      address => address !== null && leave(address),
      (error: unknown) => {
        const { message } = toApiError(error);
        // The words by which clients of this wire know that they must ask for a touch.
        if (message.startsWith('MFA required') && !asksKey) setAsksKey(true);
        else setProblem(message);
      },
    );
  };
  /** Null: a role is to be chosen first. */
  const enter = async (): Promise<string | null> => {
    const { fqdn, awsRoles = [] } = await api(getApp, { params: { fqdn: wanted.fqdn } });
    const chosen = role || (awsRoles.length === 1 ? awsRoles[0]?.arn : '');
    if (awsRoles.length > 0 && !chosen) {
      setRoles(awsRoles);
      return null;
    }
    return addressOf(api, { ...wanted, fqdn }, chosen);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: one way in for one link.
  useEffect(() => follow(enter()), [api, wanted.fqdn, wanted.state, wanted.path, role]);

  const withKey = async (): Promise<string> => {
    const { askKey } = await import('../../wizards/credentials/hardware-key.ts');
    const body = { fqdn: wanted.fqdn };
    return addressOf(api, wanted, role, await askKey(await api(appKeyChallenge, { body })));
  };
  if (roles.length > 0 && role === '') return <AwsRoles fqdn={wanted.fqdn} roles={roles} onChoose={setRole} />;
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
async function addressOf(
  api: MakeCall,
  { fqdn, state, path, query }: Wanted,
  role = '',
  answer?: Assertion,
): Promise<string> {
  // Its host knows a role by the address alone.
  const page = role === '' ? path : `/?${new URLSearchParams({ [AWS_ROLE_QUERY]: role })}`;
  if (state === '') return firstAddress(applicationOrigin(location, fqdn), page, role === '' ? query : '');
  const launched = await api(createAppSession, {
    body: { fqdn, ...(role !== '' && { arn: role }), webauthnAssertionResponse: answer },
  });
  return handOverAddress(applicationOrigin(location, launched.fqdn), launched.code, state, page);
}

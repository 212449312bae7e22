// SAML 2: a signed request by redirect, an answer by form, its assertion signed and perhaps encrypted.
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { createOutbound } from '../../outbound.ts';
import { newSecret } from '../../secrets.ts';
import { attributesOf } from './profile.ts';
import { type Provider, SignInRefused, UNUSABLE_NAME } from './provider.ts';
import { checkAssertion, checkResponse } from './saml-checks.ts';
import { readIdpMetadata, type SamlIdp } from './saml-metadata.ts';
import type { Connector } from './stored.ts';

const ACS = '/v1/webapi/saml/acs';
/** What a provider says about itself is asked again after this, ms. */
const METADATA_MOST_MS = 24 * 3_600_000;
/** Clocks of providers may be off by this, ms. */
const CLOCK_SKEW_MS = 5000;
const ASSERTION_MOST_MS = 300_000;

type Saml = Connector<'saml'>;

export interface SamlProvider extends Provider<'saml'> {
  /** What the provider has to know of us, as XML. */
  metadata(connector: Saml): Promise<string>;
}

export function createSaml({
  publicUrl,
  clock,
}: {
  readonly publicUrl: string;
  readonly clock: () => Date;
}): SamlProvider {
  const described = new Map<
    string,
    { readonly revision: number; readonly until: number; readonly idp: Promise<SamlIdp> }
  >();
  const acsOf = ({ spec }: Saml): string => spec.acs ?? publicUrl + ACS;

  function idpOf({ name, revision, spec }: Saml): Promise<SamlIdp> | SamlIdp {
    const { entity_descriptor: text, entity_descriptor_url: address, issuer = '', sso = '', cert = '' } = spec;
    if (text !== undefined) return readIdpMetadata(text);
    if (address === undefined) return { issuer, sso, certificates: [cert] };
    const known = described.get(name);
    const now = clock().getTime();
    if (known && known.revision === revision && known.until > now) return known.idp;
    const idp = createOutbound(spec.ca_cert)(new URL(address)).then(async answer => {
      if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
      return readIdpMetadata(await answer.text());
    });
    described.set(name, { revision, until: now + METADATA_MOST_MS, idp });
    idp.catch(() => described.delete(name));
    return idp;
  }

  function samlOf(connector: Saml, idp: Pick<SamlIdp, 'sso' | 'certificates'>, requestId: string): SAML {
    const { spec, privateKey = '', certificate = '' } = connector;
    const acs = acsOf(connector);
    const issued = clock().toISOString();
    const config: SamlConfig = {
      entryPoint: idp.sso,
      idpCert: [...idp.certificates],
      issuer: spec.service_provider_issuer ?? acs,
      callbackUrl: acs,
      audience: spec.audience ?? acs,
      privateKey,
      publicCert: certificate,
      decryptionPvk: privateKey,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      identifierFormat: null,
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: spec.signed_response === true,
      acceptedClockSkewMs: CLOCK_SKEW_MS,
      maxAssertionAgeMs: ASSERTION_MOST_MS,
      generateUniqueId: () => requestId,
      validateInResponseTo: ValidateInResponseTo.always,
      // The request is kept by whoever calls, and is gone before anything is checked here.
      cacheProvider: {
        saveAsync: async (_key, value) => ({ value, createdAt: clock().getTime() }),
        getAsync: async key => (key === requestId ? issued : null),
        removeAsync: async key => key,
      },
    };
    return new SAML(config);
  }

  return {
    async begin(connector, state) {
      const requestId = `_${newSecret()}`;
      const saml = samlOf(connector, await idpOf(connector), requestId);
      return { location: await saml.getAuthorizeUrlAsync(state, undefined, {}), pending: { requestId } };
    },

    async finish(connector, returned, _state, { requestId = '' }) {
      const { spec } = connector;
      const idp = await idpOf(connector);
      const expected = { acs: acsOf(connector), issuer: idp.issuer };
      const SAMLResponse = returned.get('SAMLResponse') ?? '';
      checkResponse(Buffer.from(SAMLResponse, 'base64').toString('utf8'), expected);
      const { profile } = await samlOf(connector, idp, requestId).validatePostResponseAsync({ SAMLResponse });
      if (!profile?.getAssertionXml) throw new SignInRefused('callback', 'the answer holds no assertion');
      checkAssertion(profile.getAssertionXml(), expected, requestId);
      const attributes = attributesOf((profile.attributes ?? {}) as Readonly<Record<string, unknown>>);
      const named = spec.username_attribute;
      const name = named === undefined ? profile.nameID : attributes[named]?.[0];
      if (!name)
        throw new SignInRefused(
          'auth',
          named ? `the provider says no attribute "${named}"` : 'the provider says no NameID',
          UNUSABLE_NAME,
        );
      return { subject: name, name, attributes };
    },

    rules: ({ spec }) => spec.attributes_to_roles.map(({ name, value, roles }) => ({ attribute: name, value, roles })),

    async metadata(connector) {
      const { certificate = '' } = connector;
      // Nothing of the provider stands in it, and it may not be there yet.
      return samlOf(
        connector,
        { sso: acsOf(connector), certificates: [certificate] },
        '',
      ).generateServiceProviderMetadata(certificate, certificate);
    },
  };
}

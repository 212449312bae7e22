// This gateway as the identity provider of applications that take SAML: who may sign in where, what they are told of the person, and what the
// audit log hears of it.
import * as z from 'zod/mini';
import { Failure } from '../../../../contract/failure.ts';
import { SAML_METADATA_PATH, SAML_SSO_PATH } from '../../../../contract/saml-idp.ts';
import type { ApplicationTarget } from '../../../ports/applications.ts';
import type { AuditEntry, AuditLog } from '../../../ports/audit.ts';
import type { Who } from '../../../ports/who.ts';
import type { Resource, Resources, Settings } from '../../../store/store.ts';
import { allOf } from '../../lists.ts';
import { digest, newSecret } from '../../secrets.ts';
import { once } from '../../shared-key.ts';
import { type KeyPair, newKeyPair } from '../sso/certificate.ts';
import { escapeXml, nameFormats, signedAnswer } from './answer.ts';
import { REQUEST_LIFE_MS, readRequest, type SamlRequest } from './request.ts';
import { readServiceProvider, type ServiceProvider } from './service-provider.ts';

const KEY = 'saml_idp.key';
/** A browser has this long from the console to the answer, ms. */
const CODE_MS = 60_000;
/** Codes that wait, and requests that were answered, at once. */
const WAITING_MOST = 10_000;
/** Service providers are read again no sooner than this, ms. */
const FRESH_MS = 1000;
const stored = z.object({ certificate: z.string(), key: z.string() });

export interface SamlIdpParts {
  readonly resources: Pick<Resources, 'get' | 'list'>;
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
  readonly audit: AuditLog;
  /** Leave for this person to sign in to it now. Throws Failure denied. */
  readonly permit: (wish: SamlWish) => Promise<void>;
  readonly clusterName: string;
  readonly publicUrl: string;
  readonly clock: () => Date;
}
export interface SamlWish {
  readonly who: Who;
  readonly device?: string;
  readonly application: ApplicationTarget;
  readonly entityId: string;
}
/** What a browser is to sign in to. */
interface SamlAsked {
  readonly query?: string | undefined;
  readonly app?: string | undefined;
}
interface Answer {
  readonly acs: string;
  readonly response: string;
  readonly relayState: string;
}
export interface SamlIdp {
  metadata(): Promise<string>;
  /** Name of the application. Throws Failure not_found, also for what no role selects, and bad_request with a sentence. */
  find(who: Who, asked: SamlAsked): Promise<string>;
  /** A code for what the browser is to post; `browser`: its cookie, which the code is for. Throws Failure as `find` does, and denied. */
  signIn(
    who: Who,
    asked: SamlAsked,
    device: string | undefined,
    browser: string,
  ): Promise<{ name: string; code: string }>;
  /** Null for a code that is none, was used, has run out or is another browser's. */
  redeem(code: string, browser: string): Answer | null;
}

export const samlEvent = ({ who, device, application, entityId }: SamlWish, error?: string): AuditEntry => ({
  code: 'TSI000I',
  user: who.user,
  user_id: who.userId,
  'addr.remote': who.remoteAddr,
  session_id: digest(who.webSessionId),
  ...(device !== undefined && { with_mfa: device }),
  success: error === undefined,
  ...(error !== undefined && { error }),
  service_provider_entity_id: entityId,
  service_provider_shortcut: application.name,
});

interface Found {
  readonly resource: Resource;
  readonly provider: ServiceProvider;
  /** Absent: it begins here. */
  readonly request?: SamlRequest;
}

export function createSamlIdp(parts: SamlIdpParts): SamlIdp {
  const { resources, settings, secrets, clock, publicUrl } = parts;
  const issuer = publicUrl + SAML_METADATA_PATH;
  const sso = publicUrl + SAML_SSO_PATH;
  const codes = new Map<string, Answer & { readonly browser: string; readonly until: number }>();
  /** Requests that were answered, and until when they are remembered, ms. */
  const answered = new Map<string, number>();
  let known: Promise<ReadonlyMap<string, string>> | undefined;
  let knownAt = 0;

  const keyPair = once(async (): Promise<KeyPair> => {
    const make = async () => {
      const { certificate, privateKey } = await newKeyPair(`Postern ${parts.clusterName}`);
      return { certificate, key: await secrets.seal(privateKey, KEY) };
    };
    const kept = (await settings.get(KEY)) ?? (await settings.putIfAbsent(KEY, await make()));
    const { certificate, key } = z.parse(stored, kept);
    return { certificate, privateKey: secrets.open(key, KEY) };
  });
  /** Names of the applications that take SAML, by their entity ID; of several with one, the first. */
  function byEntityId(isAnew = false): Promise<ReadonlyMap<string, string>> {
    if (!known || isAnew || Date.now() - knownAt > FRESH_MS) {
      knownAt = Date.now();
      known = allOf(resources, 'app').then(apps => new Map(pairs(apps)));
      known.catch(() => {
        known = undefined;
      });
    }
    return known;
  }
  const pairs = (apps: readonly Resource[]) =>
    apps.toReversed().flatMap(app => {
      const provider = providerOf(app);
      return provider ? [[provider.entityId, app.name] as const] : [];
    });

  /** One that was added a moment ago is looked for anew. */
  const nameOf = async (entityId: string): Promise<string | undefined> =>
    (await byEntityId()).get(entityId) ?? (await byEntityId(true)).get(entityId);

  async function found(who: Who, { query, app }: SamlAsked): Promise<Found> {
    const request = query === undefined ? undefined : reading(() => readRequest(query, sso, clock()));
    const name = request ? await nameOf(request.issuer) : app;
    const resource = name === undefined ? null : await resources.get('app', name);
    const provider = resource && providerOf(resource);
    if (!resource || !provider || !who.rights.selects('app', resource.labels))
      throw new Failure('not_found', `"${request?.issuer ?? app ?? ''}" was not found`);
    if (!request) return { resource, provider };
    // Its entity ID may have been changed meanwhile.
    if (provider.entityId !== request.issuer) throw new Failure('not_found', `"${request.issuer}" was not found`);
    reading(() => request.verify(provider));
    return { resource, provider, request };
  }
  /** Where the answer goes: an address that is registered, whatever the request says. Throws Failure bad_request. */
  function acsOf({ acs }: ServiceProvider, request: SamlRequest | undefined): string {
    const [first] = acs;
    const { acsUrl = '', acsIndex = '' } = request ?? {};
    if (acsUrl === '' && acsIndex === '') return first.url;
    const wanted = acs.find(({ url, index }) => (acsUrl === '' ? index === acsIndex : url === URL.parse(acsUrl)?.href));
    if (!wanted)
      throw new Failure(
        'bad_request',
        `${acsUrl || `address ${acsIndex}`} is not registered as one that answers go to`,
      );
    return wanted.url;
  }
  function remember(request: SamlRequest, now: number): void {
    for (const [id, until] of answered) if (until < now || answered.size >= WAITING_MOST) answered.delete(id);
    answered.set(`${request.issuer} ${request.id}`, now + 2 * REQUEST_LIFE_MS);
  }

  return {
    async metadata() {
      const { certificate } = await keyPair();
      const bare = certificate.replace(/-----[^-]+-----|\s/g, '');
      return `<?xml version="1.0" encoding="UTF-8"?>\n<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(issuer)}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${bare}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>${nameFormats.map(format => `<NameIDFormat>${format}</NameIDFormat>`).join('')}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escapeXml(sso)}"/></IDPSSODescriptor></EntityDescriptor>\n`;
    },
    find: async (who, asked) => (await found(who, asked)).resource.name,
    async signIn(who, asked, device, browser) {
      const { resource, provider, request } = await found(who, asked);
      const { name, labels, spec } = resource;
      const application = { name, labels, publicAddr: '', uri: String((spec as { uri?: unknown }).uri ?? '') };
      const wish = { who, application, entityId: provider.entityId, ...(device !== undefined && { device }) };
      // The words by which clients of this wire know that they must ask for a touch.
      if (device === undefined && (who.rights.options.sessionFactor || request?.isForced))
        throw new Failure(
          'denied',
          request?.isForced
            ? `MFA required: ${name} asks for a new proof of who you are`
            : 'MFA required: your roles ask for a second factor for each session',
        );
      await parts.permit(wish);
      const acs = acsOf(provider, request);
      const now = clock();
      if (request) {
        if ((answered.get(`${request.issuer} ${request.id}`) ?? 0) > now.getTime())
          throw new Failure('bad_request', 'This request was answered already: begin again at the application.');
        remember(request, now.getTime());
      }
      const xml = signedAnswer(
        {
          ...{ issuer, audience: provider.entityId, acs, inResponseTo: request?.id ?? '', user: who.user },
          ...{ attributes: attributesOf(provider, who), now, expires: who.expires },
        },
        await keyPair(),
      );
      await parts.audit.emit(samlEvent(wish));
      for (const [code, { until }] of codes)
        if (until < now.getTime() || codes.size >= WAITING_MOST) codes.delete(code);
      const code = newSecret();
      codes.set(digest(code), {
        acs,
        response: Buffer.from(xml).toString('base64'),
        relayState: request ? request.relayState : provider.relayState,
        browser: digest(browser),
        until: now.getTime() + CODE_MS,
      });
      return { name, code };
    },
    redeem(code, browser) {
      const key = digest(code);
      const waiting = codes.get(key);
      codes.delete(key);
      const counts = waiting && waiting.until >= clock().getTime() && waiting.browser === digest(browser);
      return counts ? waiting : null;
    },
  };
}

/** Null for an application that takes no SAML. */
function providerOf({ spec }: Resource): ServiceProvider | null {
  const { saml } = spec as { readonly saml?: unknown };
  if (saml === undefined) return null;
  try {
    return readServiceProvider(saml);
  } catch {
    return null;
  }
}

/** What the service provider is told: as it is written of it, else the name and the roles. */
function attributesOf({ attributes }: ServiceProvider, { user, roles, traits }: Who) {
  const written = attributes.length > 0 ? attributes : defaults;
  return written.map(({ name, value }) => ({
    name,
    values:
      value === 'user.name'
        ? [user]
        : value === 'user.roles'
          ? [...roles]
          : [...(Object.hasOwn(traits, value.slice(TRAITS.length)) ? (traits[value.slice(TRAITS.length)] ?? []) : [])],
  }));
}
const TRAITS = 'traits.';
const defaults = [
  { name: 'uid', value: 'user.name' },
  { name: 'roles', value: 'user.roles' },
];

/** What is wrong with a request is said to whoever brings it. */
function reading<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new Failure('bad_request', error instanceof Error ? error.message : String(error));
  }
}

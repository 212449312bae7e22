// Who asks, signed for applications: a JWT (RFC 7519) in a header, and the keys (RFC 7517) by which anybody can check it.
import type { JWK } from 'jose';
import * as z from 'zod/mini';
import type { Who } from '../../../ports/who.ts';
import type { Settings } from '../../../store/store.ts';

const ALGORITHM = 'ES256';
const PLACE = 'applications.identity_key';
const KEY_ID = 'postern-1';
/** How long a token counts, seconds; one is used again for four fifths of that. */
const LIFE_SECONDS = 300;
const USED_MS = 240_000;

/** Loaded with the first token or the first question for the keys. */
const loadJose = () => import('jose');

const stored = z.object({ publicKey: z.looseObject({}), key: z.string() });

export interface ApplicationIdentityParts {
  readonly settings: Pick<Settings, 'get' | 'putIfAbsent'>;
  readonly secrets: {
    seal(secret: string, place: string): Promise<string>;
    open(sealed: string, place: string): string;
  };
  readonly clusterName: string;
}
export interface ApplicationIdentity {
  /** For one application, which its audience names. */
  token(who: Pick<Who, 'user' | 'roles' | 'traits'>, audience: string): Promise<string>;
  /** What an application checks tokens by. */
  keys(): Promise<{ readonly keys: readonly JWK[] }>;
}
/** A token that is used until it is half a minute from its end, and anew once the person's roles are others. */
export type HeldToken = (who: Pick<Who, 'user' | 'roles' | 'traits'>) => string | Promise<string>;

/** The key is made at the first use; gateways that share a store have the same one. */
export function createApplicationIdentity({
  settings,
  secrets,
  clusterName,
}: ApplicationIdentityParts): ApplicationIdentity {
  let loaded: Promise<{ readonly key: CryptoKey; readonly publicKey: JWK }> | undefined;

  async function make(): Promise<z.infer<typeof stored>> {
    const { exportJWK, exportPKCS8, generateKeyPair } = await loadJose();
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    return {
      publicKey: { ...(await exportJWK(publicKey)) },
      key: await secrets.seal(await exportPKCS8(privateKey), PLACE),
    };
  }
  async function load() {
    const kept = (await settings.get(PLACE)) ?? (await settings.putIfAbsent(PLACE, await make()));
    const { publicKey, key } = z.parse(stored, kept);
    const { importPKCS8 } = await loadJose();
    return {
      key: await importPKCS8(secrets.open(key, PLACE), ALGORITHM),
      publicKey: { ...publicKey, kid: KEY_ID, alg: ALGORITHM, use: 'sig' } as JWK,
    };
  }
  function keyPair() {
    loaded ??= load().catch(error => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  }
  return {
    async token({ user, roles, traits }, audience) {
      const { SignJWT } = await loadJose();
      return new SignJWT({ username: user, roles: [...roles], traits })
        .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT' })
        .setIssuer(clusterName)
        .setAudience(audience)
        .setSubject(user)
        .setIssuedAt()
        .setExpirationTime(`${LIFE_SECONDS}s`)
        .sign((await keyPair()).key);
    },
    keys: async () => ({ keys: [(await keyPair()).publicKey] }),
  };
}

/** Of one session. */
export function holdToken(identity: Pick<ApplicationIdentity, 'token'>, audience: string): HeldToken {
  let held = { of: '', text: '', until: 0 };
  return who => {
    const of = JSON.stringify([who.user, who.roles, who.traits]);
    const now = Date.now();
    if (held.of === of && now < held.until) return held.text;
    return identity.token(who, audience).then(text => {
      held = { of, text, until: now + USED_MS };
      return text;
    });
  };
}

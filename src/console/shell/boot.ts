// What exists before anyone is signed in: configuration, tokens, client, session. Built once, by main. Part of every first load: keep it small.
import type { WebConfig } from '../../contract/config.ts';
import { ApiError } from '../../contract/failure.ts';
import type { SessionReply } from '../../contract/session.ts';
import type { Api, ApiPorts, Download } from '../api/client.ts';
import { every, onStorage, readMeta } from './browser.ts';
import { readConfig } from './config.ts';
import { untilAnswered, withEarly } from './early.ts';
import type { FirstWindow } from './first-window.ts';
import { keptTheme } from './kept-theme.ts';
import { currentPath, follow, leaving as guards } from './navigation.ts';
import { safeRedirect } from './redirect.ts';
import { createSessionKeeper, type SessionKeeper } from './session.ts';
import { createSignOut } from './sign-out.ts';
import { clearStorage, keys, writeJson } from './storage.ts';
import { showTheme } from './theme.ts';

export interface Boot {
  readonly config: WebConfig;
  readonly api: Api;
  readonly download: Download;
  /** When what was asked before this script was here is answered, or failed. */
  readonly answered: () => Promise<void>;
  readonly session: SessionKeeper;
  /** The console signed the person out a moment ago: then the sign-in form stays, or a session that only half works would go round in circles. */
  readonly hasJustLeft: boolean;
  /** Ends the web session and goes to login; `comeBack` brings the person back to this page afterwards. */
  readonly signOut: (comeBack: boolean) => void;
  /** Loads a page anew as the person who just signed in. */
  readonly enter: (path: string, reply?: SessionReply) => void;
}

/**
 * The schemas and the client that reads by them: not needed to draw the sign-in form, so not loaded for it. Kept, because each `import()`
 * waits for a turn of the browser's even where the module is here.
 */
let client: typeof import('../api/client.ts') | undefined;
const loadClient = async () => {
  client ??= await import('../api/client.ts');
  return client;
};
const loadCalls = () => import('../../contract/session.ts');

/** Base64 JSON of a session reply, as the gateway puts it into the page; undefined when it is not one. */
export function readBearer(content: string | undefined): SessionReply | undefined {
  if (content === undefined) return undefined;
  try {
    const reply: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(atob(content), byte => byte.charCodeAt(0))),
    );
    return isSessionReply(reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** By hand, for the same reason: the page's own session is read before any schema is there. */
function isSessionReply(value: unknown): value is SessionReply {
  if (typeof value !== 'object' || value === null) return false;
  const reply = value as Partial<Record<keyof SessionReply, unknown>>;
  return (
    reply.type === 'bearer' &&
    typeof reply.token === 'string' &&
    typeof reply.expires_in === 'number' &&
    typeof reply.sessionExpires === 'string' &&
    typeof reply.sessionInactiveTimeout === 'number'
  );
}

/** When this tab was last signed out. */
const LEFT_KEY = 'postern:left';
const JUST_LEFT_MS = 10_000;
/** Nobody waits longer than this for the gateway's word when signing out. */
const SIGN_OUT_MOST_MS = 5000;

/** Reads the page once and builds what everything else stands on. */
export function createBoot(): Boot {
  const page: FirstWindow = window;
  const config = readConfig(page.POSTERN_CONFIG);
  const csrf = readMeta('postern_csrf_token');

  const leave = createSignOut({
    storage: localStorage,
    end: async () => api((await loadCalls()).signOut, { signal: AbortSignal.timeout(SIGN_OUT_MOST_MS) }),
    here: currentPath,
    go: link => {
      sessionStorage.setItem(LEFT_KEY, String(Date.now()));
      guards.giveUp();
      follow(link, { refresh: true });
    },
  });
  const session = createSessionKeeper({
    storage: localStorage,
    now: Date.now,
    every,
    onStorage,
    renew: async () => api((await loadCalls()).renewSession, { body: {} }),
    status: async () => api((await loadCalls()).sessionStatus),
    ended: why => void leave(true, why !== 'other tab'),
  });
  const ports: ApiPorts = {
    tokens: () => ({ bearer: session.token()?.accessToken, csrf }),
    fetch: withEarly(
      page.posternEarly,
      (url, init) => globalThis.fetch(url, init),
      () => performance.now(),
    ),
  };
  /** An answer that says nobody is signed in ends the session at once; any other refusal is the caller's to tell. */
  const heard = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'signed_out') session.lost();
      throw error;
    }
  };
  const api: Api = async (call, given) => heard((await loadClient()).createApi(ports)(call, given));

  const fresh = readBearer(readMeta('postern_bearer_token', true));
  if (fresh !== undefined) session.keep(fresh);
  // The page came without a session, so there is none left to end: what the last one kept here goes.
  else if (session.token() !== null && !session.isValid()) clearStorage(localStorage);

  // Signed out, too, a choice made in another tab shows here; for as long as this page lives.
  onStorage(key => {
    if (key === keys.preferences) showTheme(document.documentElement, keptTheme(localStorage), config.customTheme);
  });

  return {
    hasJustLeft: Date.now() - Number(sessionStorage.getItem(LEFT_KEY) ?? 0) < JUST_LEFT_MS,
    config,
    api,
    download: async (call, given) => heard((await loadClient()).createDownload(ports)(call, given)),
    answered: () => untilAnswered(page.posternEarly),
    session,
    signOut: comeBack => void leave(comeBack, true),
    enter: (path, reply) => {
      if (reply !== undefined) session.keep(reply);
      // Signing in is activity: what an earlier session left behind must not end this one.
      writeJson(localStorage, keys.lastActive, Date.now());
      follow(safeRedirect(path, location.origin), { refresh: true });
    },
  };
}

// What exists before anyone is signed in: configuration, tokens, client, session. Built once, by main.
import { type ApiPorts, bearerHeaders, createApi, createFileApi } from '../../client/api.ts';
import { readPageToken } from '../../client/page-token.ts';
import { createSessionKeeper, type SessionKeeper } from '../../client/session.ts';
import type { MakeCall } from '../../contract/call.ts';
import type { WebConfig } from '../../contract/config.ts';
import { ApiError } from '../../contract/failure.ts';
import { renewSession, type SessionReply, sessionStatus, signOut } from '../../contract/session.ts';
import type { Download } from '../screens/page.tsx';
import { startTrace } from '../ui/trace.ts';
import { onWake } from '../ui/wake.ts';
import { every, onStorage, readMeta, sharedValue } from './browser.ts';
import { readConfig } from './config.ts';
import { type FetchedAnswer, untilAnswered, withEarly } from './early.ts';
import type { FirstWindow } from './first-window.ts';
import { currentPath, follow, leaving as guards } from './navigation.ts';
import { safeRedirect } from './redirect.ts';
import { createSignOut } from './sign-out.ts';
import { clearStorage, keys, readJson, writeJson } from './storage.ts';
import { storedTheme } from './stored-theme.ts';
import { showTheme } from './theme.ts';

export interface Boot {
  readonly config: WebConfig;
  readonly api: MakeCall;
  readonly download: Download;
  /** When what was asked before this script was here is answered, or failed. */
  readonly answered: () => Promise<void>;
  readonly session: SessionKeeper;
  /** The console signed the person out a moment ago: then the sign-in form stays, or a session that only half works would go round in circles. */
  readonly hasJustLeft: boolean;
  /** Why the session that this tab had before is over, in the gateway's words; '' where nothing was said. */
  readonly over: string;
  /** Ends the web session and goes to login; `comeBack` brings the person back to this page afterwards. */
  readonly signOut: (comeBack: boolean) => void;
  /** Loads a page anew as the person who just signed in. */
  readonly enter: (path: string, reply?: SessionReply) => void;
}

/** When this tab was last signed out. */
const LEFT_KEY = 'postern:left';
const DAY_MS = 86_400_000;
const JUST_LEFT_MS = 10_000;
/** Nobody waits longer than this for the gateway's word when signing out. */
const SIGN_OUT_MOST_MS = 5000;

/** Reads the page once and builds what everything else stands on. */
export function createBoot(): Boot {
  const page: FirstWindow = window;
  const config = readConfig(page.POSTERN_CONFIG);
  const csrf = readMeta('postern_csrf_token');
  const hasJustLeft = Date.now() - Number(sessionStorage.getItem(LEFT_KEY) ?? 0) < JUST_LEFT_MS;
  // Whoever is led to sign-in may load its page more than once: what is to be said there outlives the first time.
  if (!hasJustLeft) sessionStorage.removeItem(keys.over);
  const over = sessionStorage.getItem(keys.over) ?? '';

  const leave = createSignOut({
    storage: localStorage,
    end: () => api(signOut, { signal: AbortSignal.timeout(SIGN_OUT_MOST_MS) }),
    here: currentPath,
    go: link => {
      sessionStorage.setItem(LEFT_KEY, String(Date.now()));
      guards.giveUp();
      follow(link, { refresh: true });
    },
  });
  /** How long nobody has done anything in any tab, as the gateway is told: it keeps the same rule. */
  const idle = (): { readonly idle?: number } => {
    const last = readJson(localStorage, keys.lastActive);
    return typeof last === 'number' ? { idle: Math.min(Math.max(0, Date.now() - last), DAY_MS) } : {};
  };
  const session = createSessionKeeper({
    token: sharedValue(keys.token),
    renewal: sharedValue(keys.tokenRenew),
    now: Date.now,
    every,
    onWake,
    // A cleared storage has no key to name.
    onTokenRemoved: run =>
      onStorage((key, value) => {
        if (key === null || (key === keys.token && value === null)) run();
      }),
    renew: () => api(renewSession, { body: {} }),
    status: () => api(sessionStatus, { query: idle() }),
    ended: why => void leave(true, why !== 'other tab'),
  });
  const fetchEarly = withEarly(
    page.posternEarly,
    (url, init) => globalThis.fetch(url, init),
    () => performance.now(),
  );
  const trace = startTrace(localStorage);
  const ports: ApiPorts<FetchedAnswer> = {
    credentials: () => {
      const traceparent = trace();
      return {
        ...bearerHeaders(session.token()?.accessToken, csrf),
        ...(traceparent !== '' && { traceparent }),
      };
    },
    send: (path, request) => fetchEarly(path, { ...request, credentials: 'same-origin', cache: 'no-store' }),
  };
  const call = createApi(ports);
  const callFile = createFileApi(ports);
  /** An answer that says nobody is signed in ends the session at once; any other refusal is the caller's to tell. */
  const endingSession = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'signed_out') session.lost();
      throw error;
    }
  };
  const api: MakeCall = (wanted, given) => endingSession(call(wanted, given));

  const fresh = readPageToken(readMeta('postern_bearer_token', true));
  if (fresh !== undefined) session.accept(fresh);
  // The page came without a session, so there is none left to end: what the last one kept here goes.
  else if (session.token() !== null && !session.isValid()) clearStorage(localStorage);

  // Signed out, too, a choice made in another tab shows here; for as long as this page lives.
  onStorage(key => {
    if (key === keys.preferences) showTheme(document.documentElement, storedTheme(localStorage), config.customTheme);
  });

  return {
    hasJustLeft,
    over,
    config,
    api,
    download: (wanted, given) => endingSession(callFile(wanted, given)),
    answered: () => untilAnswered(page.posternEarly),
    session,
    signOut: comeBack => void leave(comeBack, true),
    enter: (path, reply) => {
      sessionStorage.removeItem(keys.over);
      if (reply !== undefined) session.accept(reply);
      // Signing in is activity: what an earlier session left behind must not end this one.
      writeJson(localStorage, keys.lastActive, Date.now());
      follow(safeRedirect(path, location.origin), { refresh: true });
    },
  };
}

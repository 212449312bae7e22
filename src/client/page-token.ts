// The bearer token that the gateway puts into the console's page for whoever comes with a session cookie.
import * as z from 'zod/mini';
import { type SessionReply, sessionReply } from '../contract/session.ts';

/** Reads the content of the page's meta element, base64 of a session reply's JSON; undefined when it is not one. */
export function readPageToken(content: string | undefined): SessionReply | undefined {
  if (content === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(content), byte => byte.charCodeAt(0));
    return z.safeParse(sessionReply, JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

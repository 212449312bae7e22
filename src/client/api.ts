// The one typed client of the web API, for the browser and the command line. It reports; what a failure means for the person is decided
// by whoever called.
import * as z from 'zod/mini';
import {
  type Call,
  type CallGiven,
  encodedText,
  type MakeCall,
  type Method,
  pathOf,
  type ReplyOf,
} from '../contract/call.ts';
import { ApiError, fromAnswer } from '../contract/failure.ts';

/** Makes a call whose answer is a file, such as a recording's export: answers the runtime's own answer, with its body unread. Throws ApiError. */
export type FileApi<A extends Answer> = <C extends Call>(call: C, given?: CallGiven<C>) => Promise<A>;

/** What is read of an answer; the answer of every runtime's `fetch` is one. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

/** One request to the gateway, as `fetch` takes it. */
export interface ApiRequest {
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface ApiPorts<A extends Answer = Answer> {
  /** Headers that say who asks; read anew for each call, because the bearer token changes. What it throws is thrown by the call. */
  credentials(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Sends a request to an absolute path of the gateway. Whatever it throws that is not an ApiError counts as a network that failed. */
  send(path: string, request: ApiRequest): Promise<A>;
}

/** Headers of a person with a bearer token and the CSRF token of the page; those that are absent are left out. */
export function bearerHeaders(bearer: string | undefined, csrf: string | undefined): Record<string, string> {
  return {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(csrf !== undefined && { 'X-CSRF-Token': csrf }),
  };
}

/** `?a=1` for a query; undefined and empty values are left out. */
export function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodedText(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A failure of the network as an ApiError; one that has its own words already keeps them. */
const asNetwork = (error: unknown): ApiError => (error instanceof ApiError ? error : new ApiError('network'));

async function ask<A extends Answer, C extends Call>(ports: ApiPorts<A>, call: C, given: CallGiven<C>): Promise<A> {
  const path = pathOf(call, given.params ?? {});
  const credentials = await ports.credentials();
  const answer = await ports
    .send(path + searchOf(given.query), {
      method: call.method,
      headers: {
        Accept: 'application/json',
        ...credentials,
        ...(given.body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
      ...(given.signal && { signal: given.signal }),
    })
    .catch((error: unknown) => {
      throw asNetwork(error);
    });
  // The query is left out of what is said: what was searched for belongs in no log.
  if (!answer.ok) throw fromAnswer({ status: answer.status, url: path }, await bodyOf(answer));
  return answer;
}

/** JSON where it is JSON; otherwise a short text as a body the failure table understands. */
async function bodyOf(answer: Answer): Promise<unknown> {
  const text = await answer.text().catch((error: unknown) => {
    throw asNetwork(error);
  });
  try {
    return JSON.parse(text);
  } catch {
    const isShort = text !== '' && text.length < 500 && !text.trimStart().startsWith('<');
    return isShort ? { responseText: text } : undefined;
  }
}

/** The client. */
export function createApi(ports: ApiPorts): MakeCall {
  return async (call, given = {}) => {
    const answer = await ask(ports, call, given);
    const read = z.safeParse(call.parts.reply as z.ZodMiniType, await bodyOf(answer));
    if (read.success) return read.data as ReplyOf<typeof call>;
    const seen = { status: answer.status, url: pathOf(call, given.params ?? {}) };
    throw new ApiError('unknown', `The gateway's answer to ${call.method} ${seen.url} could not be read`, seen);
  };
}

/** The same for files. */
export function createFileApi<A extends Answer>(ports: ApiPorts<A>): FileApi<A> {
  return (call, given = {}) => ask(ports, call, given);
}

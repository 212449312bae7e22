// The one typed client of the web API. It reports; what a failure means for the person is decided in the shell.
import type { BodyInput, Call, QueryInput, ReplyOf } from '../../contract/call.ts';
import { pathOf } from '../../contract/call.ts';
import { ApiError, fromAnswer } from '../../contract/failure.ts';
import { read } from './read.ts';

/** What a call is given: path parameters, query and JSON body; `signal` ends it early. */
export interface CallGiven<C extends Call> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryInput<C>;
  readonly body?: BodyInput<C>;
  readonly signal?: AbortSignal;
}

/** Makes a call of the contract. Throws ApiError, and nothing else. */
export type Api = <C extends Call>(call: C, given?: CallGiven<C>) => Promise<ReplyOf<C>>;

/** What is read of an answer. */
export type Answer = Pick<Response, 'ok' | 'status' | 'text' | 'blob'>;
/** Asks the gateway, as the browser's own `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Answer>;

export interface ApiPorts {
  /** Proofs that go with every call; read anew for each one, because the bearer token changes. */
  readonly tokens: () => { readonly bearer: string | undefined; readonly csrf: string | undefined };
  readonly fetch: Fetch;
}

/** `?a=1` for a query; undefined values are left out. */
function searchOf(query: unknown): string {
  if (typeof query !== 'object' || query === null) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Calls go to the same origin with cookies, JSON, no caching, the CSRF token and the bearer token (specification section 7). */
async function send<C extends Call>({ tokens, fetch }: ApiPorts, call: C, given: CallGiven<C>): Promise<Answer> {
  const url = pathOf(call, given.params ?? {}) + searchOf(given.query);
  const { bearer, csrf } = tokens();
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (bearer !== undefined) headers.Authorization = `Bearer ${bearer}`;
  if (csrf !== undefined) headers['X-CSRF-Token'] = csrf;
  const init: RequestInit = { method: call.method, headers, credentials: 'same-origin', cache: 'no-store' };
  if (given.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(given.body);
  }
  if (given.signal) init.signal = given.signal;
  let answer: Answer;
  try {
    answer = await fetch(url, init);
  } catch {
    throw new ApiError('network');
  }
  if (!answer.ok) throw fromAnswer({ status: answer.status, url }, await readBody(answer));
  return answer;
}

/** The client. */
export function createApi(ports: ApiPorts): Api {
  return async (call, given = {}) => {
    const answer = await send(ports, call, given);
    const body = await readBody(answer);
    const reply = read(call.parts.reply, body);
    if (reply !== undefined) return reply.data as ReplyOf<typeof call>;
    const seen = { status: answer.status, url: pathOf(call, given.params ?? {}) };
    throw new ApiError('unknown', `The gateway's answer to ${call.method} ${seen.url} could not be read`, seen);
  };
}

/** For calls whose answer is a file, such as a recording's export. */
export type Download = <C extends Call>(call: C, given?: CallGiven<C>) => Promise<Blob>;
export function createDownload(ports: ApiPorts): Download {
  return async (call, given = {}) => {
    const answer = await send(ports, call, given);
    try {
      return await answer.blob();
    } catch {
      throw new ApiError('network');
    }
  };
}

/** JSON where it is JSON; otherwise the text as a body the failure table understands. */
async function readBody(answer: Answer): Promise<unknown> {
  let text: string;
  try {
    text = await answer.text();
  } catch {
    throw new ApiError('network');
  }
  try {
    return JSON.parse(text);
  } catch {
    const short = text.length > 0 && text.length < 500 && !text.trimStart().startsWith('<');
    return short ? { responseText: text } : undefined;
  }
}

// One value per call of the web API: the console's client and the gateway's routes both read it.
import type * as core from 'zod/v4/core';
import type { RuleResource, Verb } from './acl.ts';
import type { JoinRole } from './join-tokens.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may make a call: anyone, anyone signed in, or whoever a role gives the verb on the resource. */
type Access = 'public' | 'signedIn' | { readonly resource: RuleResource; readonly verb: Verb };

/** What a call takes and answers. A schema that is absent means: nothing of that kind is read. */
export interface CallParts {
  /** One sentence for the OpenAPI page. */
  readonly summary: string;
  readonly access: Access;
  /** Path parameters by name, each a string unless a schema narrows it. */
  readonly params?: core.$ZodType;
  readonly query?: core.$ZodType;
  /** JSON body. Fields that the call does not know are left out: clients send back what they read. */
  readonly body?: core.$ZodType;
  readonly reply: core.$ZodType;
  /** The body may be this many bytes; the gateway's default is 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** Made by the console again and again by itself: not counted as something that the person did. */
  readonly isAutomatic?: true;
  /** The body, or the answer, is a file: no JSON, and it may take as long as it moves. */
  readonly streamed?: true;
  /** Also made by whoever shows a join token for this role as the bearer, without a cookie: a machine that joins has no session. */
  readonly joins?: JoinRole;
  /** Says what the root says of itself and its people, whichever cluster is named: it is not passed on to a leaf. */
  readonly ofRoot?: true;
  /** Answered by the root itself also for a leaf, which it asks what it must know: what is in the answer is good at the root. */
  readonly atRoot?: true;
  /** Also made from no trusted device where the cluster requires one: what a sign-in needs until it has proven its device. */
  readonly isBeforeTrust?: true;
  /** The double-submit CSRF token is enforced. */
  readonly csrf?: true;
}

export interface Call<Parts extends CallParts = CallParts> {
  readonly method: Method;
  /** Full path with `:name` parameters, such as `/v1/webapi/sites/:clusterId/nodes`. */
  readonly path: string;
  readonly parts: Parts;
}

export type ParamsOf<C extends Call> = C['parts']['params'] extends core.$ZodType
  ? core.output<C['parts']['params']>
  : Record<string, never>;
export type QueryOf<C extends Call> = C['parts']['query'] extends core.$ZodType
  ? core.output<C['parts']['query']>
  : Record<string, never>;
type QueryInput<C extends Call> = C['parts']['query'] extends core.$ZodType
  ? core.input<C['parts']['query']>
  : Record<string, never>;
export type BodyOf<C extends Call> = C['parts']['body'] extends core.$ZodType
  ? core.output<C['parts']['body']>
  : undefined;
export type BodyInput<C extends Call> = C['parts']['body'] extends core.$ZodType
  ? core.input<C['parts']['body']>
  : undefined;
export type ReplyOf<C extends Call> = core.output<C['parts']['reply']>;
export type ReplyInput<C extends Call> = core.input<C['parts']['reply']>;

/**
 * Declares a call. Paths are written under the API's own prefix, so `sites` means `/v1/webapi/sites`.
 * Without side effects: a console is built without the calls that it never makes.
 */
/* @__NO_SIDE_EFFECTS__ */
export function call<const Parts extends CallParts>(method: Method, path: string, parts: Parts): Call<Parts> {
  return { method, path: path.startsWith('/') ? path : `/v1/webapi/${path}`, parts };
}

/** A text in an address, percent-encoded: a lone surrogate U+DC80 to U+DCFF, as which a byte that is no UTF-8 stands, as that byte. */
export const encodedText = (text: string): string =>
  text
    .split(/([\udc80-\udcff])/u)
    .map((part, index) =>
      index % 2 === 1
        ? `%${(part.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}`
        : encodeURIComponent(part.toWellFormed()),
    )
    .join('');

/** Fills the `:name` parts of a call's path, each percent-encoded. Throws when one is missing. */
export function pathOf(call: Call, params: Readonly<Record<string, string>>): string {
  return call.path.replace(/:([A-Za-z]+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${call.method} ${call.path} needs ${name}`);
    return encodeURIComponent(value);
  });
}

declare global {
  /** What is used of the class that every runtime has. */
  interface AbortSignal {
    readonly aborted: boolean;
  }
}

/** What a call is given: path parameters, query and JSON body; `signal` ends it early. */
export interface CallGiven<C extends Call> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryInput<C>;
  readonly body?: BodyInput<C>;
  readonly signal?: AbortSignal;
}

/** Makes a call as the signed-in person and reads its answer by the contract's schema. Rejects with ApiError. */
export type MakeCall = <C extends Call>(call: C, given?: CallGiven<C>) => Promise<ReplyOf<C>>;

// Every way a call can fail, by code. Text is matched in one function, once; everyone else switches on the code.

/** `status` is the HTTP status the gateway answers with; `retry` says whether the same call may succeed unchanged. */
export const failures = {
  network: { status: 0, text: 'Network request failed', retry: true },
  bad_request: { status: 400, text: 'Bad request', retry: false },
  denied: { status: 403, text: 'Access denied', retry: false },
  /** Others in a session of theirs must approve it first, or have approved something else. */
  unapproved: { status: 403, text: 'Not approved', retry: false },
  /** Whoever asks is not signed in, or no longer: the console goes to login, which an ordinary refusal must not do. */
  signed_out: { status: 403, text: 'access denied: sign in first', retry: false },
  hardware_key: { status: 403, text: 'This sign-in needs a private key that is kept in hardware', retry: false },
  not_found: { status: 404, text: 'Not found', retry: false },
  /** A leaf cluster that is not connected: the wire says that there is none. */
  cluster_offline: { status: 404, text: 'Cluster offline', retry: true },
  unreachable: { status: 408, text: 'Connection problem', retry: true },
  exists: { status: 409, text: 'Already exists', retry: false },
  changed: { status: 412, text: 'Changed by someone else', retry: false },
  too_large: { status: 413, text: 'Too large', retry: false },
  limited: { status: 429, text: 'Too many requests', retry: true },
  internal: { status: 500, text: 'Something went wrong at the gateway', retry: true },
  unsupported: { status: 501, text: 'Not supported', retry: false },
  unavailable: { status: 503, text: 'The gateway is busy or shutting down', retry: true },
  unknown: { status: 500, text: 'Unknown error', retry: false },
} as const satisfies Record<string, { status: number; text: string; retry: boolean }>;

export type FailureCode = keyof typeof failures;

/** A refusal on its way to an answer: what was wrong, and where. Thrown by the gateway's services and routes. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  /** Names of the fields that were wrong, with what is allowed. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  constructor(code: FailureCode, message: string = failures[code].text, fields?: Readonly<Record<string, string>>) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** Body of every failed call. */
export interface FailureBody {
  readonly error: {
    readonly message: string;
    readonly code?: FailureCode;
    readonly fields?: Readonly<Record<string, string>>;
    readonly requestId?: string;
  };
}

/** What the console keeps of an answer: no DOM types, so that the contract needs none. */
export interface AnswerSeen {
  readonly status: number;
  readonly url: string;
}

/** A failed call as the console sees it (specification section 8). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: FailureCode;
  readonly response: AnswerSeen | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly requestId: string | undefined;
  constructor(
    code: FailureCode,
    message: string = failures[code].text,
    response?: AnswerSeen,
    body?: FailureBody['error'],
  ) {
    super(message);
    this.code = code;
    this.response = response;
    this.fields = body?.fields;
    this.requestId = body?.requestId;
  }
}

interface LooseBody {
  readonly error?: { readonly message?: unknown; readonly code?: unknown };
  readonly message?: unknown;
  readonly responseText?: unknown;
}

const statusCodes: Readonly<Record<number, FailureCode>> = {
  400: 'bad_request',
  403: 'denied',
  404: 'not_found',
  408: 'unreachable',
  409: 'exists',
  412: 'changed',
  413: 'too_large',
  429: 'limited',
  500: 'internal',
  501: 'unsupported',
  502: 'unreachable',
  503: 'unavailable',
};

/** The only place that reads an upstream's wording: error.message, message or responseText of the body, else '{status} - {url}'. */
export function fromAnswer(seen: AnswerSeen, body: unknown): ApiError {
  const loose = (typeof body === 'object' && body !== null ? body : {}) as LooseBody;
  const said = [loose.error?.message, loose.message, loose.responseText].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  const told = loose.error?.code;
  const code: FailureCode = said?.includes('hardware_key')
    ? 'hardware_key'
    : typeof told === 'string' && Object.hasOwn(failures, told)
      ? (told as FailureCode)
      : (statusCodes[seen.status] ?? 'unknown');
  return new ApiError(
    code,
    said ?? `${seen.status} - ${seen.url}`,
    seen,
    loose.error as FailureBody['error'] | undefined,
  );
}

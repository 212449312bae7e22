// Requests that came over a tunnel from a root, and who they are of. Nothing that a client sends can put a request in here.
import type { IncomingMessage } from 'node:http';

/** Somebody from a root, as it has vouched for them with this request. */
export interface Visit {
  /** Name of the root. */
  readonly root: string;
  /** Id of the visit: one for each of their web sessions there. */
  readonly id: string;
}

const visits = new WeakMap<IncomingMessage, Visit>();

export const arrived = (request: IncomingMessage, visit: Visit): void => void visits.set(request, visit);
/** Undefined for a request of anybody else. */
export const visitOf = (request: IncomingMessage): Visit | undefined => visits.get(request);

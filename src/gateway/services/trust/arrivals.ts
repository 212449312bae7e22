// Requests that came over a tunnel from a root, and who they are of. Nothing that a client sends can put a request in here.
import type { IncomingMessage } from 'node:http';
import type { Visit } from '../../ports/who.ts';

const visits = new WeakMap<IncomingMessage, Visit>();

export const arrived = (request: IncomingMessage, visit: Visit): void => void visits.set(request, visit);
/** Undefined for a request of anybody else. */
export const visitOf = (request: IncomingMessage): Visit | undefined => visits.get(request);

// Where the terminal socket is, and why the gateway refuses one.

import { ApiError, fromAnswer } from '../contract/failure.ts';
import { readJson } from '../contract/json.ts';
import { type TerminalParams, terminalPath } from '../contract/terminal.ts';
import type { Answer, ApiPorts } from './api.ts';
import type { Refusal } from './reconnection.ts';

/** Path and query of a socket. The bearer token stands in it, so it is nothing to log or to show. `traceparent`: '' for none. */
export function socketAddress(
  path: string,
  clusterId: string,
  params: object,
  token: string,
  traceparent = '',
): string {
  const query = `access_token=${encodeURIComponent(token)}&params=${encodeURIComponent(JSON.stringify(params))}`;
  return `${path.replace(':clusterId', encodeURIComponent(clusterId))}?${query}&traceparent=${traceparent}`;
}
/** The same of a terminal's socket. */
export const terminalAddress = (
  clusterId: string,
  params: TerminalParams,
  token: string,
  traceparent?: string,
): string => socketAddress(terminalPath, clusterId, params, token, traceparent);

const NOT_OPENED = 'The connection could not be opened';

/** Asks the address of a socket without an upgrade: the gateway checks it alike and says in plain HTTP what is wrong. Never throws. */
export async function explainRefusal(send: ApiPorts<Answer>['send'], address: string): Promise<Refusal> {
  const [url = ''] = address.split('?');
  try {
    const answer = await send(address, { method: 'GET', headers: { Accept: 'application/json' } });
    if (answer.ok || answer.status === 426) return { status: 426, text: NOT_OPENED };
    const body = readJson(await answer.text());
    // A proxy may answer with a page of its own; the status still counts.
    if (body === undefined || body === null) return { status: answer.status, text: NOT_OPENED };
    return { status: answer.status, text: fromAnswer({ status: answer.status, url }, body).message };
  } catch (error) {
    return { status: 0, text: error instanceof ApiError ? error.message : 'The gateway cannot be reached' };
  }
}

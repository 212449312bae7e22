// What clients of clusters are told when something is refused here: a Status, as an API server writes it.
import { Failure, failures } from '../../../../contract/failure.ts';
import { ConnectError } from '../../../ports/reach.ts';

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  413: 'RequestEntityTooLarge',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
};
/** What kubectl would take for an order to ask again, or for a certificate to be fetched anew, is said otherwise. */
const statuses: Readonly<Record<string, number>> = { signed_out: 401, unreachable: 502, unsupported: 400 };

export interface Told {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}
export const statusOf = (status: number, text: string): Told => ({
  status,
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Postern: ${text}`,
    reason: reasons[status] ?? 'Unknown',
    code: status,
  }),
});
/** What a client is told of an error; null for one that is not its business. */
export function toldOf(error: unknown): Told | null {
  if (error instanceof ConnectError) return statusOf(502, error.message);
  if (!(error instanceof Failure)) return null;
  return statusOf(statuses[error.code] ?? failures[error.code].status, error.message);
}

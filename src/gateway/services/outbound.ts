// HTTPS to sign-in providers and issuers of ID tokens, with the authority that vouches for them, and bounds: no redirects, ten seconds, one megabyte.
import { request } from 'node:https';

const MOST_MS = 10_000;
const MOST_BYTES = 1024 * 1024;

interface Outgoing {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
export type Outbound = (url: URL, outgoing?: Outgoing) => Promise<Response>;

/** Requests that trust the authorities of the machine, and `ca` (PEM) where the connector names one. */
export const createOutbound =
  (ca: string | undefined): Outbound =>
  (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((done, fail) => {
      const asked = request(
        url,
        { method, headers, signal: AbortSignal.timeout(MOST_MS), agent: false, ...(ca !== undefined && { ca }) },
        answer => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            chunks.push(chunk);
            if (bytes > MOST_BYTES)
              asked.destroy(new Error(`the answer of ${url.host} is larger than ${MOST_BYTES} bytes`));
          });
          answer.on('error', fail);
          answer.on('end', () => {
            const status = answer.statusCode ?? 0;
            const isEmpty = status === 204 || status === 205 || status === 304;
            const given = Object.entries(answer.headers).flatMap(([name, values]) =>
              [values ?? []].flat().map((value): [string, string] => [name, value]),
            );
            done(new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: given }));
          });
        },
      );
      asked.on('error', fail);
      asked.end(body);
    });

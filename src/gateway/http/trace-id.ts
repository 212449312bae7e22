// The trace that a call is of (W3C Trace Context), where its client says one: the log names it, and nothing else hangs on it.
import type { IncomingMessage } from 'node:http';

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Sockets have no headers of a page's choice: theirs stands in the query. */
const inQuery = /[?&]traceparent=([0-9a-f-]{55})(?:&|$)/;

/** Undefined where there is none, or none that is well formed. */
export function traceIdOf({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const [said] = [headers.traceparent].flat();
  return traceparent.exec(said ?? inQuery.exec(url)?.[1] ?? '')?.[1];
}

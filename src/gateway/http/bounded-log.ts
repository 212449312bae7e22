// Log lines about requests, bounded for each client: whoever sends many bad ones fills neither the disk nor the view of who reads along.
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import { createRateLimit } from './rate-limit.ts';

/** Levels that a gateway in service writes. Whoever asks for debug and trace wants every line. */
const bounded = ['info', 'warn', 'error', 'fatal'] as const;

/**
 * Makes the logger of each request. Lines beyond the rule are left out; the next one that is written says how many in `leftOut`. `proxied`:
 * the address that the nearest proxy tells counts, since all come from there.
 */
export function createRequestLogs(
  rule: { readonly burst: number; readonly perMinute: number },
  clock: () => Date,
  proxied: boolean,
): (log: FastifyBaseLogger, request: IncomingMessage) => FastifyBaseLogger {
  const limit = createRateLimit(rule, clock);
  let leftOut = 0;
  return (log, request) => {
    const address = (proxied ? lastOf(request.headers['x-forwarded-for']) : undefined) ?? request.socket.remoteAddress;
    const limited: FastifyBaseLogger = Object.create(log) as FastifyBaseLogger;
    for (const level of bounded) {
      limited[level] = (...given: unknown[]) => {
        if ((log as Partial<Logger>).isLevelEnabled?.(level) === false) return;
        if (limit.take(address) > 0) {
          leftOut += 1;
          return;
        }
        const line = leftOut > 0 ? log.child({ leftOut }) : log;
        leftOut = 0;
        (line[level] as (...rest: unknown[]) => void).apply(line, given);
      };
    }
    return limited;
  };
}

/** The hop that the nearest proxy added. */
const lastOf = (header: string | string[] | undefined): string | undefined =>
  header === undefined ? undefined : [header].flat().join(',').split(',').at(-1)?.trim();

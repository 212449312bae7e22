/**
 * Where audit events and their anchors go: a file, a webhook, a syslog server, a bucket. Each takes a batch and resolves once the other side has it;
 * what rejects is sent again, whole, so a receiver may see an event twice and never misses one. An event's `uid` tells twins apart.
 */
import { hash } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { connect } from 'node:tls';
import type { BucketPlace } from '../../ports/recordings.ts';
import type { ChainedEvent } from '../../store/store.ts';
import { bucketUrl, openBucket } from '../bucket.ts';

/** A receiver that has not taken a batch after this long is tried again, ms. */
const DELIVERY_MOST_MS = 15_000;
/** Only whoever runs the gateway reads the log. */
const FILE_MODE = 0o600;

export interface Receiver {
  /** Names it in the store and to people; it stays the same over restarts. */
  readonly name: 'file' | 'webhook' | 'syslog' | 'bucket';
  /** Where to, without what is secret. */
  readonly place: string;
  /** Resolves once the other side has them all. */
  deliver(events: readonly ChainedEvent[]): Promise<void>;
}

/** A JSON line for each event. A rotated file is begun anew. */
export function fileReceiver(path: string): Receiver {
  return {
    name: 'file',
    place: path,
    async deliver(events) {
      const file = await open(path, 'a+', FILE_MODE);
      try {
        const { size } = await file.stat();
        const last = size === 0 ? Buffer.from('\n') : (await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer;
        // A line that a full disk has cut is closed, and told again.
        const begin = last.toString() === '\n' ? '' : '\n';
        await appendFile(file, begin + events.map(({ json }) => `${json}\n`).join(''));
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** An object for each batch, named by time and content: one that is sent again is the same, and none is ever written over. */
export function bucketReceiver(place: BucketPlace): Receiver {
  return {
    name: 'bucket',
    place: bucketUrl(place),
    async deliver(events) {
      const text = events.map(({ json }) => `${json}\n`).join('');
      const time = (events[0]?.time ?? new Date(0)).toISOString().replaceAll(':', '-');
      const bucket = openBucket(place);
      try {
        await bucket.put(`${time}-${hash('sha256', text, 'hex').slice(0, 8)}.ndjson`, Buffer.from(text));
      } finally {
        bucket.close();
      }
    },
  };
}

/** POST of JSON lines. An answer of 200 to 299 takes them. */
export function webhookReceiver(url: string, token: string | null): Receiver {
  return {
    name: 'webhook',
    place: new URL(url).origin,
    async deliver(events) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(token !== null && { authorization: `Bearer ${token}` }),
        },
        body: events.map(({ json }) => `${json}\n`).join(''),
        redirect: 'error',
        signal: AbortSignal.timeout(DELIVERY_MOST_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    },
  };
}

/** Facility "log audit" and the severities "notice" and "warning" (RFC 5424, section 6.2.1). */
const LOG_AUDIT = 13;
const NOTICE = 5;
const WARNING = 4;

/** An event as a syslog message (RFC 5424, section 6), framed by its length in bytes (RFC 5425, section 4.3). */
function syslogFrame({ code, time, json }: ChainedEvent): string {
  const priority = LOG_AUDIT * 8 + (code.endsWith('I') ? NOTICE : WARNING);
  const message = `<${priority}>1 ${time.toISOString()} ${hostname()} postern - ${code} - \ufeff${json}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

/**
 * Syslog over TLS. The protocol has no receipt, so each batch has a connection of its own: a server that has read to its end closes its side,
 * and only then the batch counts as taken.
 */
export function syslogReceiver({ host, port, ca }: { host: string; port: number; ca: string | null }): Receiver {
  return {
    name: 'syslog',
    place: `${host}:${port}`,
    deliver: events =>
      new Promise((done, fail) => {
        const socket = connect({ host, port, servername: host, ...(ca !== null && { ca }) });
        socket.setTimeout(DELIVERY_MOST_MS, () => socket.destroy(new Error('it did not answer in time')));
        socket.on('error', fail);
        socket.on('secureConnect', () => socket.end(events.map(syslogFrame).join('')));
        socket.on('end', done);
        socket.on('close', () => fail(new Error('it closed the connection')));
        socket.resume();
      }),
  };
}

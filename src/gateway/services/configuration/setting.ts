// The kinds of settings: how a text becomes a value, and what is said when it cannot.
import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { hostAndPort, isPort, readAddress } from '../../../contract/address.ts';
import { parseDuration } from '../../../contract/duration.ts';
import type { BucketPlace } from '../../ports/recordings.ts';

/** Turns what was written into a value, or says what is allowed. YAML may hand over numbers and booleans. */
export type Kind<Value> = (
  written: string | number | boolean,
) => { readonly value: Value } | { readonly allowed: string };

export interface Setting<Value = unknown> {
  /** Path in the YAML file. `tls.cert` is `--tls-cert` and POSTERN_TLS_CERT. */
  readonly key: string;
  /** What follows the flag in the help. Absent: a flag that is on when it stands alone. */
  readonly argument?: string;
  readonly read: Kind<Value>;
  /** What holds when nobody sets it, for the help. */
  readonly otherwise: string;
  readonly help: string;
  /** Never shown back: it may hold a password. */
  readonly secret?: true;
}

/** Flag and environment variable of a setting. */
export const flagOf = (setting: Pick<Setting, 'key'>): string => `--${setting.key.replaceAll('.', '-')}`;
export const variableOf = (setting: Pick<Setting, 'key'>): string =>
  `POSTERN_${setting.key.replaceAll(/[.-]/g, '_').toUpperCase()}`;

const given = <Value>(value: Value) => ({ value });
const wants = (allowed: string) => ({ allowed });

export const text =
  (
    mostCharacters: number,
    shape = /^[^\0]*$/,
    allowed = `a text of at most ${mostCharacters} characters`,
  ): Kind<string> =>
  written =>
    typeof written === 'string' && written.length <= mostCharacters && shape.test(written)
      ? given(written)
      : wants(allowed);

/** A path; `~/` is the home folder only where a shell says so. */
export const path: Kind<string> = written =>
  typeof written === 'string' && written !== '' && !written.includes('\0') ? given(written) : wants('a path');

export const integer =
  (least: number, most: number): Kind<number> =>
  written => {
    const number =
      typeof written === 'number'
        ? written
        : typeof written === 'string' && /^\d{1,15}$/.test(written)
          ? Number(written)
          : Number.NaN;
    return Number.isInteger(number) && number >= least && number <= most
      ? given(number)
      : wants(`a whole number from ${least} to ${most}`);
  };

export const flag: Kind<boolean> = written =>
  typeof written === 'boolean'
    ? given(written)
    : written === 'true' || written === '1' || written === 'yes'
      ? given(true)
      : written === 'false' || written === '0' || written === 'no'
        ? given(false)
        : wants('true or false');

export const choice =
  <const Choice extends string>(choices: readonly Choice[]): Kind<Choice> =>
  written => {
    const found = choices.find(one => one === written);
    return found === undefined ? wants(`one of ${choices.map(one => one || '""').join(', ')}`) : given(found);
  };

/** Milliseconds. `never` is 0 where it is allowed. */
export const duration =
  (leastMs: number, mostMs: number, never = false): Kind<number> =>
  written => {
    if (never && (written === 'never' || written === 0 || written === '0')) return given(0);
    const ms = typeof written === 'string' ? parseDuration(written) : undefined;
    return ms !== undefined && ms >= leastMs && ms <= mostMs
      ? given(ms)
      : wants(
          `a duration from ${shown(leastMs)} to ${shown(mostMs)}, such as 90s, 30m or 12h${never ? ', or never' : ''}`,
        );
  };
/** `env=prod:365d,env=dev:30d`: how long by label, ms; `never` = 0, for ever. */
export const keepByLabel: Kind<
  readonly { readonly name: string; readonly value: string; readonly keepMs: number }[]
> = written => {
  const rows = String(written)
    .split(',')
    .map(part => {
      const [, name = '', value = '', time = ''] = /^([^=,:]+)=([^,]*):([^:,]+)$/.exec(part.trim()) ?? [];
      return { name, value, keepMs: time === 'never' ? 0 : parseDuration(time) || undefined };
    });
  const whole = rows.filter(
    (row): row is typeof row & { keepMs: number } => row.name !== '' && row.keepMs !== undefined,
  );
  return whole.length === rows.length ? given(whole) : wants('labels with times, such as env=prod:3650d,env=dev:30d');
};

const UNIT_BYTES: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };
/** Bytes, written as 500MB, 20GB or 2TB. */
export const byteCount: Kind<number> = written => {
  const [, count, unit = ''] = /^(\d{1,9})(MB|GB|TB)$/.exec(String(written)) ?? [];
  const bytes = Number(count) * (UNIT_BYTES[unit] ?? 0);
  return bytes > 0 ? given(bytes) : wants('a size such as 500MB, 20GB or 2TB');
};

const shown = (ms: number): string =>
  ms % 3_600_000 === 0 ? `${ms / 3_600_000}h` : ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;

export interface Listen {
  readonly host: string;
  /** 0: any port that is free. */
  readonly port: number;
}
/** HOST:PORT, [IPv6]:PORT, or a port alone on loopback. */
export const listen: Kind<Listen> = written => {
  const text = String(written);
  const address = readAddress(/^\d+$/.test(text) ? `127.0.0.1:${text}` : text);
  return address && address.port !== null && (address.port === 0 || isPort(address.port))
    ? given({ host: address.host, port: address.port })
    : wants('HOST:PORT, such as 127.0.0.1:3080 or [::1]:3080');
};

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** HOST:PORT as it was written, to be shown to people. */
export const hostWithPort: Kind<string> = written =>
  typeof written === 'string' && z.safeParse(hostAndPort, written).success && readAddress(written)?.port !== null
    ? given(written)
    : wants('HOST:PORT');

/** An address of the console: scheme, host and port. */
export const origin: Kind<string> = written => {
  const url = typeof written === 'string' && URL.canParse(written) ? new URL(written) : undefined;
  const plain =
    url &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '';
  return plain ? given(url.origin) : wants('an address such as https://console.example.com, without a path');
};

/** An address on the web that a link leads to; it may have a path and a query, and holds no password. */
export const webAddress: Kind<string> = written => {
  const url = typeof written === 'string' && URL.canParse(written) ? new URL(written) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? given(url.href) : wants('an address such as https://www.example.com/plans');
};

/** Where clouds put the metadata service of each machine (a link-local address, RFC 3927). */
export const CLOUD_METADATA = 'http://169.254.169.254';
/** Hosts of the APIs of clouds that tokens are shown to. */
export const CLOUD_HOSTS = {
  azure: ['management.azure.com', 'graph.microsoft.com', '*.vault.azure.net'],
  gcp: ['*.googleapis.com'],
} as const;
/** Names of hosts with commas between them, `*.` before one for all below it. */
export const cloudHosts: Kind<readonly string[]> = written => {
  const hosts = typeof written === 'string' ? written.split(',').map(one => one.trim().toLowerCase()) : [];
  const isPlain = hosts.length > 0 && hosts.every(one => /^(\*\.)?([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(one));
  return isPlain
    ? given(hosts)
    : wants('names of hosts with commas between them, such as management.azure.com,*.vault.azure.net');
};

/** Bucket names as S3 has them. */
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** `s3://bucket/folder?endpoint=https://…&region=…`: keys of access are never part of it. */
export const bucket: Kind<BucketPlace> = written => {
  const url = typeof written === 'string' && URL.canParse(written) ? new URL(written) : undefined;
  const known = url && [...url.searchParams.keys()].every(name => name === 'endpoint' || name === 'region');
  const plain = url?.username === '' && url.password === '' && url.port === '' && url.hash === '';
  const endpoint = url?.searchParams.get('endpoint') ?? null;
  const reads = endpoint === null ? undefined : origin(endpoint);
  if (url?.protocol !== 's3:' || !known || !plain || !BUCKET_NAME.test(url.hostname) || (reads && !('value' in reads)))
    return wants('s3://BUCKET/FOLDER?region=REGION&endpoint=URL, all but the bucket left out where not needed');
  const server = new URL(reads?.value ?? 'https://localhost');
  if (server.protocol === 'http:' && !isLoopback(server.hostname.replace(/^\[|\]$/g, '')))
    return wants('an endpoint with https, so that nothing crosses the network in the clear,');
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return given({
    name: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint: reads?.value ?? null,
    region: url.searchParams.get('region'),
  });
};

/** Empty for the embedded store, or where a PostgreSQL database is. */
export const store: Kind<string> = written =>
  written === 'sqlite' || (typeof written === 'string' && /^postgres(ql)?:\/\//.test(written) && URL.canParse(written))
    ? given(String(written))
    : wants('sqlite, or postgres://user:password@host/database');

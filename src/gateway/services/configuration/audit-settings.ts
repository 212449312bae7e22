// Where the audit log goes beside the store: the settings that begin with "audit".
import { resolve } from 'node:path';
import { readAddress } from '../../../contract/address.ts';
import type { BucketPlace } from '../../ports/recordings.ts';
import { bucket, flagOf, webAddress } from './setting.ts';
import { type SettingName, type SettingValue, settings } from './table.ts';

/** Null: not wanted. */
export interface AuditConfiguration {
  readonly file: string | null;
  readonly webhook: { readonly url: string; readonly token: string | null } | null;
  /** `ca`: PEM; null: this machine's authorities. */
  readonly syslog: { readonly host: string; readonly port: number; readonly ca: string | null } | null;
  readonly anchor: { readonly file: string } | { readonly url: string } | { readonly bucket: BucketPlace } | null;
}

/** `read` answers a file's text, or undefined once it has said why there is none. */
export function readAuditSettings(
  value: <Name extends SettingName>(name: Name) => SettingValue<Name> | undefined,
  read: (flag: string, path: string) => string | undefined,
  problem: (text: string) => void,
): AuditConfiguration {
  const text = (name: 'auditWebhookToken' | 'auditSyslogCa'): string | null => {
    const path = value(name);
    return path === undefined ? null : (read(flagOf(settings[name]), path) ?? null);
  };
  const [file, url, syslog, anchor] = [
    value('auditFile'),
    value('auditWebhook'),
    value('auditSyslog'),
    value('auditAnchor'),
  ];
  const [token, ca] = [text('auditWebhookToken'), text('auditSyslogCa')];
  if (token !== null && url === undefined)
    problem(`${flagOf(settings.auditWebhookToken)}: goes with ${flagOf(settings.auditWebhook)}, which is missing`);
  if (ca !== null && syslog === undefined)
    problem(`${flagOf(settings.auditSyslogCa)}: goes with ${flagOf(settings.auditSyslog)}, which is missing`);
  const server = syslog === undefined ? null : readAddress(syslog);
  return {
    file: file === undefined ? null : resolve(file),
    webhook: url === undefined ? null : { url, token: token?.split('\n')[0]?.trim() ?? null },
    syslog: server && { host: server.host, port: server.port ?? SYSLOG_TLS_PORT, ca },
    anchor: anchor === undefined ? null : anchorOf(anchor, problem),
  };
}
function anchorOf(written: string, problem: (text: string) => void): AuditConfiguration['anchor'] {
  if ('value' in webAddress(written)) return { url: written };
  if (!written.startsWith('s3://')) return { file: resolve(written) };
  const place = bucket(written);
  if ('value' in place) return { bucket: place.value };
  problem(`${flagOf(settings.auditAnchor)}: ${place.allowed} expected`);
  return null;
}
/** RFC 5425, section 4.1. */
const SYSLOG_TLS_PORT = 6514;

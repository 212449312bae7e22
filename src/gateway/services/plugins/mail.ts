// Mail over SMTP: the one sender that is not a web request.
import { isIP } from 'node:net';
import { readAddress } from '../../../contract/address.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';
import type { Message } from './message.ts';
import { otherAddress } from './outgoing.ts';

/** A server that is silent for longer is tried again, ms. */
const SILENT_MOST_MS = 10_000;
/** All of a delivery, ms. */
const DELIVERY_MOST_MS = 20_000;
/** Where mail servers take mail (RFC 6409, RFC 8314). */
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;
/** Of a subject, characters. */
const SUBJECT_MOST_CHARACTERS = 200;

/** Resolves once the server has taken it for everybody. Rejects with what it said. `own`: the server may be this machine. */
export async function sendMail(
  message: Message,
  spec: PluginSpec,
  recipients: readonly string[],
  own: boolean,
): Promise<void> {
  const { host = '', port } = readAddress(spec.server ?? '') ?? {};
  const mode = spec.tls ?? 'starttls';
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    // What was judged is what is connected to, whatever the name means a moment later.
    host: own ? host : await otherAddress(host),
    port: port ?? (mode === 'tls' ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    secure: mode === 'tls',
    requireTLS: mode === 'starttls',
    ignoreTLS: mode === 'none',
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(spec.username !== undefined && { auth: { user: spec.username, pass: spec.password ?? '' } }),
    connectionTimeout: SILENT_MOST_MS,
    greetingTimeout: SILENT_MOST_MS,
    socketTimeout: SILENT_MOST_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = (spec.from ?? '').split('@')[1] ?? 'postern';
  const late = setTimeout(() => transport.close(), DELIVERY_MOST_MS);
  try {
    const sent = await transport.sendMail({
      from: { name: 'Postern', address: spec.from ?? '' },
      // Nobody sees who else gets it.
      to: { name: 'Postern', address: spec.from ?? '' },
      envelope: { from: spec.from ?? '', to: [...recipients] },
      subject: message.title.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, SUBJECT_MOST_CHARACTERS),
      text: message.words,
      // The same at every try: a mailbox that gets it twice shows it once.
      messageId: `<${message.id}@${domain}>`,
      date: message.time,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    const refused = sent.rejected.length;
    // Those whom the server knows have it; the others would never get it.
    if (refused > 0 && sent.accepted.length === 0) throw new Error(`it refused all ${refused} recipients`);
  } finally {
    clearTimeout(late);
    transport.close();
  }
}

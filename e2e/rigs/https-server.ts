// An HTTPS server on this machine, with a certificate that nobody vouches for but itself.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface HttpsServer {
  readonly server: Server;
  /** `https://localhost:<port>` */
  readonly origin: string;
  /** PEM of the certificate. */
  readonly ca: string;
  close(): void;
}

/** A key and a certificate for `localhost`, PEM, which nobody vouches for. */
export function selfSigned(): { readonly key: Buffer; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'postern-https-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...curve, ...subject], { stdio: 'ignore' });
  const made = { key: readFileSync(key), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

export async function openHttpsServer(): Promise<HttpsServer> {
  const { key, cert: ca } = selfSigned();
  const server = createServer({ key, cert: ca });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { server, origin, ca, close: () => void server.close().closeAllConnections() };
}

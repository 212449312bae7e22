// What people's own SSH clients need: a certificate, and the host key that they pin.
import { createSshCertificate, getSshAccess } from '../../contract/ssh-clients.ts';
import type { Serve } from './serve.ts';
import type { Services } from './services.ts';

export function serveSshClients(serve: Serve, { sshDoor }: Services): void {
  serve(createSshCertificate, ({ body }, who) => sshDoor.certificate(who, body.publicKey));
  serve(getSshAccess, () => sshDoor.access());
}

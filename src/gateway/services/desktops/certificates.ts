// The certificate of a desktop that is trusted, replaced by the one that it shows now: after a person compared both, and never by itself.
import type { DesktopCertificateChange } from '../../../contract/desktop-certificates.ts';
import { Failure } from '../../../contract/failure.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { DesktopTarget } from '../../ports/desktops.ts';
import type { Who } from '../../ports/who.ts';
import type { KeptDesktops } from './kept.ts';

interface DesktopCertificateParts {
  readonly kept: Pick<KeptDesktops, 'certificate' | 'trust'>;
  readonly audit: AuditLog;
  /** Throws Failure not_found, also where no role leads there, and bad_request. */
  readonly target: (who: Who, name: string) => Promise<DesktopTarget>;
  /** Connects, and answers the SHA-256 of the certificate that is shown, hex. Throws ConnectError. */
  readonly shown: (who: Who, desktop: DesktopTarget) => Promise<string>;
}
export interface DesktopCertificates {
  /** Connects and answers both sides of the comparison. Throws Failure not_found, denied, bad_request for what shows none, and ConnectError. */
  compare(who: Who, name: string): Promise<DesktopCertificateChange>;
  /** Trusts the confirmed one in place of `replaces`. Throws as `compare`, and Failure changed when either is another one by now. */
  trust(
    who: Who,
    name: string,
    confirmed: { readonly certificate: string; readonly replaces: string },
  ): Promise<DesktopCertificateChange>;
}

export function createDesktopCertificates(parts: DesktopCertificateParts): DesktopCertificates {
  const { kept, audit, target, shown } = parts;
  async function look(who: Who, name: string): Promise<{ desktop: DesktopTarget; found: DesktopCertificateChange }> {
    const desktop = await target(who, name);
    if (!who.rights.may('windows_desktop', 'update', { resource: { name, labels: desktop.labels } }))
      throw new Failure('denied', `access denied: no role lets you change ${name}`);
    if (desktop.protocol !== 'rdp') throw new Failure('bad_request', `${name} speaks VNC, which shows no certificate`);
    const found = {
      name,
      addr: desktop.address,
      pinned: await kept.certificate(desktop),
      shown: await shown(who, desktop),
    };
    return { desktop, found };
  }
  return {
    compare: async (who, name) => (await look(who, name)).found,
    async trust(who, name, { certificate, replaces }) {
      const { desktop, found } = await look(who, name);
      if (found.shown !== certificate)
        throw new Failure(
          'changed',
          `${name} now shows ${found.shown}, not the certificate you confirmed: compare again`,
        );
      if (found.pinned !== replaces || !(await kept.trust(desktop, replaces, certificate)))
        throw new Failure('changed', `another certificate of ${name} is trusted by now: compare again`);
      await audit.emit({
        code: 'TJ013I',
        user: who.user,
        'addr.remote': who.remoteAddr,
        desktop_name: name,
        desktop_addr: desktop.address,
        replaced: replaces,
        trusted: certificate,
      });
      return { ...found, pinned: certificate };
    },
  };
}

// The four link columns of Help & Support: only what leads somewhere from here.
import type { WebConfig } from '../../../contract/config.ts';
import { reaches } from '../../../features/access.ts';
import type { Viewer } from '../../../features/feature.ts';
import type { FeatureId } from '../../../features/table.ts';

/** A command with its key, a page of ours, or an address that is none. */
type Entry =
  | { readonly kind: 'command'; readonly id: string }
  | { readonly kind: 'page'; readonly id: FeatureId; readonly title: string }
  | { readonly kind: 'address'; readonly title: string; readonly href: string };

interface Column {
  readonly title: 'Support' | 'Resources' | 'Troubleshooting' | 'Updates';
  readonly entries: readonly Entry[];
}

/** The help desk's address with what it is asked about; an address that cannot be read as one is left as it was given. */
function helpDesk(supportUrl: NonNullable<WebConfig['supportUrl']>, version: string): string {
  if (!URL.canParse(supportUrl)) return supportUrl;
  const url = new URL(supportUrl);
  url.searchParams.set('product', 'postern');
  url.searchParams.set('version', version);
  return url.href;
}

/** The columns for a person: pages that their roles do not open are left out. `version` is the gateway's. */
export function columnsFor(viewer: Viewer, version: string): readonly Column[] {
  const { supportUrl } = viewer.config;
  const page = (id: FeatureId, title: string): readonly Entry[] =>
    reaches(id, viewer) ? [{ kind: 'page', id, title }] : [];
  const address = (title: string, href: string): Entry => ({ kind: 'address', title, href });
  return [
    {
      title: 'Support',
      entries: [
        ...(supportUrl === undefined ? [] : [address('Ask the help desk', helpDesk(supportUrl, version))]),
        { kind: 'command', id: 'help.open' },
        { kind: 'command', id: 'palette.open' },
      ],
    },
    {
      title: 'Resources',
      entries: [
        ...page('manual', 'Manual'),
        address('Web API (OpenAPI)', '/v1/webapi/openapi.json'),
        address('Trusting a user CA in OpenSSH', 'https://man.openbsd.org/sshd_config#TrustedUserCAKeys'),
        address('Format of exported recordings', 'https://docs.asciinema.org/manual/asciicast/v3/'),
      ],
    },
    {
      title: 'Troubleshooting',
      entries: [
        ...page('audit', 'What was refused, in the audit log'),
        ...page('activeSessions', 'What runs now'),
        ...(viewer.who?.userAcl.users.edit === true
          ? [
              { kind: 'command' as const, id: 'support.bundle' },
              { kind: 'command' as const, id: 'support.clicks' },
            ]
          : []),
        address('Whether the gateway is ready', '/readyz'),
        address('What clients are told', '/v1/webapi/ping'),
      ],
    },
    {
      title: 'Updates',
      entries: [
        ...page('clusters', 'Versions of the clusters'),
        address('Oldest client that may connect', '/v1/webapi/find'),
      ],
    },
  ];
}

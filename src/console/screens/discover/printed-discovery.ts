// Reads what the script on a domain controller prints last (configure-ad.ps1): the fields of its form, each a scalar of JSON on a line of its own.

export interface PrintedDiscovery {
  readonly name: string;
  readonly address: string;
  readonly base: string;
  readonly bind_name: string;
  readonly password: string;
  readonly ca_cert: string;
}
const NOTHING: PrintedDiscovery = { name: '', address: '', base: '', bind_name: '', password: '', ca_cert: '' };

/** What it does not hold is ''; null: it is something else. */
export function readPrintedDiscovery(text: string): PrintedDiscovery | null {
  if (!/^\s*kind:\s*discovery_config\s*$/m.test(text)) return null;
  const read = { ...NOTHING };
  for (const [, key = '', scalar = ''] of text.matchAll(/^\s+([a-z_]+):\s*(".*")\s*$/gm))
    if (Object.hasOwn(read, key)) read[key as keyof PrintedDiscovery] = scalarOf(scalar);
  return read;
}

function scalarOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return '';
  }
}

/** `dc=example,dc=com` -> `example.com`: what a directory is called unless somebody says otherwise. */
export const domainOf = (base: string): string =>
  [...base.matchAll(/(?:^|,)\s*dc\s*=\s*([A-Za-z0-9-]+)/gi)].map(([, part = '']) => part.toLowerCase()).join('.');

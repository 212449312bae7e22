// A site worth looking at: resources of every kind, as a person would write them, for `resources apply`.

const HOST_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHciE5R0bIcYRAqqFmJJQlSZ1emgkARaOX/ZHp5mnRE4';
const jobs = ['web', 'api', 'db', 'cache', 'queue', 'search'] as const;
const regions = ['eu-west-1', 'us-east-1', 'ap-south-2'] as const;
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** One document. Values are JSON, which is YAML too. */
function document(
  kind: string,
  version: string,
  name: string,
  about: { readonly description?: string; readonly labels?: Readonly<Record<string, string>> },
  spec: unknown,
): string {
  return `kind: ${kind}\nversion: ${version}\nmetadata: ${JSON.stringify({ name, ...about })}\nspec: ${JSON.stringify(spec)}\n`;
}

/** YAML of `servers` OpenSSH servers and a few resources of every other kind. */
export function siteResources(servers: number): string {
  const nodes = Array.from({ length: servers }, (_, index) =>
    document(
      'node',
      'v2',
      `site-${index}`,
      {
        labels: { env: index % 3 === 0 ? 'prod' : 'staging', region: at(regions, index), team: at(jobs, index + 1) },
      },
      {
        hostname: `${at(jobs, index)}-${String(index).padStart(2, '0')}.${at(regions, index)}.example.com`,
        addr: `10.0.${index >> 8}.${(index & 255) + 1}:22`,
        hostKey: HOST_KEY,
      },
    ),
  );
  return [
    ...nodes,
    ...['grafana', 'wiki', 'billing'].map(name =>
      document(
        'app',
        'v3',
        name,
        { description: `The ${name} of everyone`, labels: { env: 'prod' } },
        { uri: `http://${name}.internal.example.com:3000`, public_addr: `${name}.example.com` },
      ),
    ),
    document('app', 'v3', 'ledger-tcp', { labels: { env: 'prod' } }, { uri: 'tcp://ledger.internal.example.com:7001' }),
    document(
      'db',
      'v3',
      'orders',
      { description: 'Orders and invoices', labels: { env: 'prod' } },
      {
        protocol: 'postgres',
        uri: 'orders.internal.example.com:5432',
      },
    ),
    document(
      'db',
      'v3',
      'sessions',
      { labels: { env: 'prod' } },
      { protocol: 'redis', uri: 'redis.internal.example.com:6379' },
    ),
    document(
      'db',
      'v3',
      'reports',
      { description: 'Read replica', labels: { env: 'staging' } },
      {
        protocol: 'mysql',
        type: 'rds',
        uri: 'reports.internal.example.com:3306',
      },
    ),
    document(
      'windows_desktop',
      'v3',
      'office-1',
      { labels: { site: 'north' } },
      { addr: 'office-1.internal.example.com' },
    ),
    document(
      'windows_desktop',
      'v3',
      'build-win',
      { labels: { site: 'south' } },
      { addr: 'build-win.internal.example.com:3390' },
    ),
    document('kube_cluster', 'v3', 'production', { labels: { env: 'prod', region: 'eu-west-1' } }, {}),
    document('kube_cluster', 'v3', 'sandbox', { labels: { env: 'dev' } }, {}),
    document('user_group', 'v1', 'finance', { description: 'Finance' }, { friendly_name: 'Finance' }),
    document('user', 'v2', 'reader', {}, { roles: ['auditor'], traits: { logins: [] } }),
    document(
      'cluster_alert',
      'v1',
      'disk',
      { labels: { 'postern.internal/alert-permit-all': 'yes' } },
      {
        severity: 5,
        message: 'The recordings folder is 91 % full.',
      },
    ),
  ].join('---\n');
}

// What can be enrolled: one row per tile of the page, guided ones first. Rows only: how each is gone about, the page knows.
import type { rdsEngines } from '../contract/aws-oidc.ts';
import { wordsFilter } from '../contract/words.ts';
import { all, can, type IconName, type Need, type Viewer } from './feature.ts';
import type { ManualLinkId } from './manual.ts';

/** Kinds of resources that tiles are for. */
export type EnrolledKind = 'server' | 'application' | 'database' | 'cluster' | 'desktop';

interface Row {
  readonly title: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly kind: EnrolledKind;
  /** Further words that find it. */
  readonly words: readonly string[];
  /** How it is gone about: step by step on the page, by a command that asks what it needs, or as the manual says. */
  readonly by:
    | { readonly guide: 'server'; readonly prepare: string; readonly isAws?: true }
    | {
        readonly guide: 'database';
        readonly protocol: 'postgres' | 'mysql' | 'redis';
        /** Of RDS: what is looked for there. */
        readonly aws?: { readonly rdsType: 'instance' | 'cluster'; readonly engines: (typeof rdsEngines)[number][] };
      }
    | { readonly guide: 'cluster' | 'application' | 'directory' }
    | { readonly guide: 'desktop'; readonly protocol: 'rdp' | 'vnc' }
    | { readonly command: string }
    | { readonly manual: ManualLinkId };
}

/** What enrolling asks of a person's roles, in the words of a refusal too (specification section 6, discover). */
const needs: Readonly<Record<EnrolledKind, { readonly need: Need; readonly rules: string }>> = {
  server: { need: all(can('tokens', 'create'), can('nodes', 'list')), rules: 'create on token and list on node' },
  application: {
    need: all(can('tokens', 'create'), can('appServers', 'read'), can('appServers', 'list')),
    rules: 'create on token, read and list on app_server',
  },
  database: {
    need: all(can('tokens', 'create'), can('dbServers', 'read'), can('dbServers', 'list')),
    rules: 'create on token, read and list on db_server',
  },
  cluster: {
    need: all(can('tokens', 'create'), can('kubeServers', 'read'), can('kubeServers', 'list')),
    rules: 'create on token, read and list on kube_server',
  },
  desktop: {
    need: all(can('tokens', 'create'), can('desktops', 'read'), can('desktops', 'list')),
    rules: 'create on token, read and list on windows_desktop',
  },
};

/** What is found in an AWS account asks for more. */
const awsNeeds = {
  need: all(can('integrations', 'list'), can('integrations', 'use')),
  rules: 'list and use on integration',
};

const server = (title: string, prepare: string, ...words: readonly string[]): Row => ({
  title,
  detail: 'Joins by one line',
  icon: 'Server',
  kind: 'server',
  words: ['ssh', 'node', 'host', 'machine', 'linux', ...words],
  by: { guide: 'server', prepare },
});

type DatabaseWay = Extract<Row['by'], { readonly guide: 'database' }>;
const awsDatabase = (title: string, protocol: DatabaseWay['protocol'], aws: NonNullable<DatabaseWay['aws']>): Row => ({
  title,
  detail: 'Found in an AWS account',
  icon: 'Database',
  kind: 'database',
  words: ['amazon', 'aws', 'cloud', 'database', 'sql', 'db', ...aws.engines],
  by: { guide: 'database', protocol, aws },
});

const rows = {
  ubuntu: server('Ubuntu server', 'sudo apt-get install openssh-server curl', 'deb', 'apt'),
  debian: server('Debian server', 'sudo apt-get install openssh-server curl', 'deb', 'apt'),
  rhel: server('RHEL or CentOS server', 'sudo dnf install openssh-server curl', 'red hat', 'fedora', 'rocky', 'rpm'),
  amazonLinux: server('Amazon Linux server', 'sudo dnf install openssh-server curl', 'aws', 'ec2', 'rpm'),
  linux: server('Another Linux server', '', 'alpine', 'arch', 'suse', 'unix'),
  ec2: {
    title: 'EC2 machine',
    detail: 'Found in an AWS account, joins by one line',
    icon: 'Server',
    kind: 'server',
    words: ['ssh', 'node', 'host', 'amazon', 'aws', 'cloud', 'instance'],
    by: { guide: 'server', prepare: '', isAws: true },
  },
  serverByAddress: {
    title: 'Server by its address',
    detail: 'OpenSSH that the gateway can dial',
    icon: 'Server',
    kind: 'server',
    words: ['ssh', 'node', 'host', 'dial', 'agentless', 'openssh'],
    by: { command: 'servers.add' },
  },
  application: {
    title: 'Web application',
    detail: 'By its address, or over a tunnel',
    icon: 'AppWindow',
    kind: 'application',
    words: ['http', 'https', 'site', 'app'],
    by: { guide: 'application' },
  },
  postgres: {
    title: 'PostgreSQL',
    detail: 'Self-hosted',
    icon: 'Database',
    kind: 'database',
    words: ['database', 'sql', 'db'],
    by: { guide: 'database', protocol: 'postgres' },
  },
  mysql: {
    title: 'MySQL or MariaDB',
    detail: 'Self-hosted',
    icon: 'Database',
    kind: 'database',
    words: ['database', 'sql', 'db'],
    by: { guide: 'database', protocol: 'mysql' },
  },
  redis: {
    title: 'Redis',
    detail: 'Self-hosted',
    icon: 'Database',
    kind: 'database',
    words: ['database', 'db', 'valkey', 'cache'],
    by: { guide: 'database', protocol: 'redis' },
  },
  rdsPostgres: awsDatabase('RDS PostgreSQL', 'postgres', { rdsType: 'instance', engines: ['postgres'] }),
  rdsMysql: awsDatabase('RDS MySQL or MariaDB', 'mysql', { rdsType: 'instance', engines: ['mysql', 'mariadb'] }),
  auroraPostgres: awsDatabase('Aurora PostgreSQL', 'postgres', { rdsType: 'cluster', engines: ['aurora-postgresql'] }),
  auroraMysql: awsDatabase('Aurora MySQL', 'mysql', { rdsType: 'cluster', engines: ['aurora-mysql'] }),
  kubernetes: {
    title: 'Kubernetes cluster',
    detail: 'By a service account',
    icon: 'Container',
    kind: 'cluster',
    words: ['k8s', 'kube', 'pods'],
    by: { guide: 'cluster' },
  },
  directory: {
    title: 'Windows desktops of a domain',
    detail: 'Found in Active Directory',
    icon: 'Monitor',
    kind: 'desktop',
    words: ['ad', 'active directory', 'ldap', 'rdp', 'remote', 'discovery'],
    by: { guide: 'directory' },
  },
  windows: {
    title: 'Windows desktop',
    detail: 'RDP, also xrdp on Linux',
    icon: 'Monitor',
    kind: 'desktop',
    words: ['rdp', 'remote', 'xrdp', 'linux'],
    by: { guide: 'desktop', protocol: 'rdp' },
  },
  vnc: {
    title: 'VNC desktop',
    detail: 'Linux and other desktops',
    icon: 'Monitor',
    kind: 'desktop',
    words: ['vnc', 'remote', 'linux'],
    by: { guide: 'desktop', protocol: 'vnc' },
  },
  declared: {
    title: 'Many at once, by YAML',
    detail: 'The manual says how',
    icon: 'BookOpen',
    kind: 'server',
    words: ['file', 'declare', 'apply', 'bulk'],
    by: { manual: 'declareResources' },
  },
} as const satisfies Record<string, Row>;

export type EnrollmentId = keyof typeof rows;
export type Enrollment = Row;
export const enrollments: Readonly<Record<EnrollmentId, Enrollment>> = rows;
const ids = Object.keys(rows) as readonly EnrollmentId[];
export const isEnrollment = (id: string): id is EnrollmentId => Object.hasOwn(rows, id);

/** Why somebody may not go through it step by step, or undefined. What a command does it refuses itself, and anybody may read the manual. */
export function notEnrolled(id: EnrollmentId, { who, config }: Viewer): string | undefined {
  const { by, kind } = enrollments[id];
  if (!('guide' in by)) return undefined;
  const isAws = ('aws' in by && by.aws !== undefined) || ('isAws' in by && by.isAws === true);
  const asked = [needs[kind], ...(isAws ? [awsNeeds] : [])];
  const lacking = asked.filter(({ need }) => who === null || !need({ who, config }));
  return lacking.length === 0 ? undefined : `Your roles lack ${lacking.map(({ rules }) => rules).join(', ')}`;
}

const isGuided = (id: EnrollmentId): boolean => 'guide' in enrollments[id].by;
/**
 * The tiles that hold all words of a search. A preferred kind first, then those that are gone through step by step, then by title; ids break ties by
 * the order of the table.
 */
export function foundEnrollments(search: string, preferred?: EnrolledKind): readonly EnrollmentId[] {
  const fits = wordsFilter(search);
  const rank = (id: EnrollmentId): number => (enrollments[id].kind === preferred ? 0 : 2) + (isGuided(id) ? 0 : 1);
  return ids
    .filter(id =>
      fits([enrollments[id].title, enrollments[id].detail, enrollments[id].kind, ...enrollments[id].words].join(' ')),
    )
    .sort((one, other) => rank(one) - rank(other) || compareTitles(one, other));
}
/** Guided ones keep the order of the table: the most usual come first there. */
const compareTitles = (one: EnrollmentId, other: EnrollmentId): number =>
  isGuided(one) && isGuided(other) ? 0 : enrollments[one].title.localeCompare(enrollments[other].title);

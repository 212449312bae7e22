// What can be told outside of what happens, and where to: one row for each kind of plugin, with the fields of its form.

/** How a field of a plugin is written. `secret` is kept sealed and never shown again; `secretAddress` is one whose path is a key. */
type FieldType = 'text' | 'address' | 'secret' | 'secretAddress' | 'server' | 'texts' | 'flag' | 'tls';
export interface PluginField {
  readonly title: string;
  readonly type: FieldType;
  readonly tip?: string;
  readonly optional?: true;
  /** What holds where nothing is written. */
  readonly otherwise?: string;
}

/** Ways to begin a mail connection: TLS from the first byte, an upgrade that must succeed, or none at all. */
export const tlsModes = ['starttls', 'tls', 'none'] as const;

const incoming = (what: string, where: string): PluginField => ({
  title: `${what} address`,
  type: 'secretAddress',
  tip: `${where}. It is kept sealed: whoever has it can post.`,
});
const token = (title: string, tip: string): PluginField => ({ title, type: 'secret', tip });

/** Kinds of plugins, in the order of the tiles. The key is the kind on the wire. */
export const pluginKinds = {
  slack: {
    title: 'Slack',
    detail: 'Posts to a channel',
    fields: { url: incoming('Incoming webhook', 'Made in Slack under “Incoming Webhooks” of an app') },
  },
  mattermost: {
    title: 'Mattermost',
    detail: 'Posts to a channel',
    fields: { url: incoming('Incoming webhook', 'Made in Mattermost under “Integrations”') },
  },
  discord: {
    title: 'Discord',
    detail: 'Posts to a channel',
    fields: { url: incoming('Webhook', 'Made in the settings of a channel under “Integrations”') },
  },
  msteams: {
    title: 'Microsoft Teams',
    detail: 'Posts to a channel',
    fields: {
      url: incoming(
        'Workflow',
        'Made in Teams from the template “Post to a channel when a webhook request is received”',
      ),
    },
  },
  email: {
    title: 'E-mail',
    detail: 'Sends mail over SMTP',
    fields: {
      server: { title: 'Mail server', type: 'server', tip: 'host:port, such as smtp.example.com:587' },
      tls: { title: 'Encryption', type: 'tls', otherwise: 'starttls', optional: true },
      username: { title: 'User name', type: 'text', optional: true },
      password: { title: 'Password', type: 'secret', optional: true },
      from: { title: 'From', type: 'text', tip: 'An address, such as postern@example.com' },
      to: { title: 'To', type: 'texts', tip: 'Addresses, with commas between them', optional: true },
      to_roles: {
        title: 'To people with these roles',
        type: 'texts',
        tip: 'At the address in their trait “email”, or at their name where that is one',
        optional: true,
      },
      to_asker: { title: 'Answers also go to whoever asked', type: 'flag', optional: true },
    },
  },
  pagerduty: {
    title: 'PagerDuty',
    detail: 'Opens incidents',
    fields: {
      token: token('Integration key', 'Of an “Events API v2” integration of the service'),
      address: {
        title: 'Address',
        type: 'address',
        optional: true,
        otherwise: 'https://events.pagerduty.com',
        tip: 'https://events.eu.pagerduty.com for accounts in the EU',
      },
    },
  },
  opsgenie: {
    title: 'Opsgenie',
    detail: 'Opens alerts',
    fields: {
      token: token('API key', 'Of an “API” integration'),
      team: { title: 'Team', type: 'text', optional: true, tip: 'Who is alerted' },
      address: {
        title: 'Address',
        type: 'address',
        optional: true,
        otherwise: 'https://api.opsgenie.com',
        tip: 'https://api.eu.opsgenie.com for accounts in the EU',
      },
    },
  },
  jira: {
    title: 'Jira',
    detail: 'Opens issues',
    fields: {
      address: { title: 'Address', type: 'address', tip: 'Such as https://acme.atlassian.net' },
      username: { title: 'User', type: 'text', tip: 'The e-mail address of the account whose token it is' },
      token: token('API token', 'Made under “Security” of that account'),
      project: { title: 'Project key', type: 'text', tip: 'Such as OPS' },
      issue_type: { title: 'Issue type', type: 'text', optional: true, otherwise: 'Task' },
    },
  },
  github: {
    title: 'GitHub',
    detail: 'Opens issues',
    fields: {
      repository: { title: 'Repository', type: 'text', tip: 'owner/name' },
      token: token('Token', 'A fine-grained token that may write issues of that repository'),
      labels: { title: 'Labels', type: 'texts', optional: true, tip: 'With commas between them' },
      address: {
        title: 'Address',
        type: 'address',
        optional: true,
        otherwise: 'https://api.github.com',
        tip: 'https://HOST/api/v3 for a server of your own',
      },
    },
  },
  webhook: {
    title: 'Webhook',
    detail: 'Posts JSON to an address of yours, signed',
    fields: {
      url: incoming('Web', 'Takes a POST of JSON'),
      signing_key: {
        title: 'Signing key',
        type: 'secret',
        optional: true,
        tip: 'Each request is signed with it: HMAC-SHA256 of time, dot and body in the header X-Postern-Signature',
      },
    },
  },
} as const satisfies Record<
  string,
  { readonly title: string; readonly detail: string; readonly fields: Readonly<Record<string, PluginField>> }
>;
export type PluginKind = keyof typeof pluginKinds;
export const pluginKindIds = Object.keys(pluginKinds) as readonly PluginKind[];
export const isPluginKind = (text: string): text is PluginKind => Object.hasOwn(pluginKinds, text);

/** Fields of a kind, as data. */
export const fieldsOf = (kind: PluginKind): Readonly<Record<string, PluginField>> => pluginKinds[kind].fields;
/** Never shown again once it is kept. */
export const isSecret = ({ type }: PluginField): boolean => type === 'secret' || type === 'secretAddress';

/** What a message may say of what happened, between braces. */
export const messageParts = ['title', 'text', 'annotations', 'kind', 'user', 'link', 'time', 'cluster'] as const;
export type MessagePart = (typeof messageParts)[number];
/** A message that nobody has worded otherwise. */
export const MESSAGE_DEFAULT = '{title}\n{text}\n{annotations}\n{link}';

/** What an integration or a plugin does now, by its code on the wire. */
export const statusWords: Readonly<Record<number, string>> = {
  0: 'Not tried yet',
  1: 'Running',
  2: 'Failed',
  3: 'Refused: not authorised',
  10: 'The bot is not in the channel',
};

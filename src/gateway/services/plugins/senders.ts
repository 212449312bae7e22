// How each kind of plugin is spoken to, one row each, by the published interface of its service.
import { createHmac } from 'node:crypto';
import { fieldsOf, type PluginKind } from '../../../contract/plugin-kinds.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';
import type { Message } from './message.ts';
import type { Outgoing } from './outgoing.ts';

/** Of what services show as a title, characters. */
const TITLE_MOST_CHARACTERS = 120;

export interface HttpSender {
  /** The request that says it; `time` of now, for signatures. */
  readonly request: (message: Message, spec: PluginSpec, now: Date) => Outgoing;
}

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Outgoing => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
/** A path below an address that may have one of its own. */
const below = (address: string, path: string): string => `${address.replace(/\/+$/, '')}${path}`;
const addressOf = (kind: PluginKind, { address }: PluginSpec): string =>
  address ?? fieldsOf(kind).address?.otherwise ?? '';
const titleOf = ({ title }: Message): string => title.replaceAll(/\s+/g, ' ').slice(0, TITLE_MOST_CHARACTERS);
/** Texts by name, which is all that an alert takes. */
const detailsOf = ({ annotations }: Message): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(annotations).map(([name, values]) => [name, values.join(', ')]));
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Slack's three characters; no text can make a link or call anybody then (api.slack.com, "Formatting text"). */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Markdown's own characters and @ lose their meaning; addresses stay what they are. */
const markdownText = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&').replaceAll('@', '@\u200b'),
    )
    .join('');

export const httpSenders: Readonly<Record<Exclude<PluginKind, 'email'>, HttpSender>> = {
  // api.slack.com/messaging/webhooks: 200 "ok", else a word for what was wrong.
  slack: { request: ({ words }, { url = '' }) => post(url, { text: slackText(words) }) },
  // developers.mattermost.com/integrate/webhooks/incoming
  mattermost: { request: ({ words }, { url = '' }) => post(url, { text: markdownText(words) }) },
  // discord.com/developers/docs/resources/webhook#execute-webhook: nobody is called, whatever the text says.
  discord: {
    request: ({ words }, { url = '' }) =>
      post(url, { content: markdownText(words).slice(0, 2000), allowed_mentions: { parse: [] } }),
  },
  // learn.microsoft.com: a workflow that posts an adaptive card when a webhook request is received.
  msteams: {
    request: ({ words, link }, { url = '' }) =>
      post(url, {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text: markdownText(words), wrap: true }],
              ...(link !== '' && { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
            },
          },
        ],
      }),
  },
  // developer.pagerduty.com, Events API v2: the same key again is the same incident.
  pagerduty: {
    request: (message, spec) =>
      post(below(addressOf('pagerduty', spec), '/v2/enqueue'), {
        routing_key: spec.token,
        event_action: 'trigger',
        dedup_key: message.id,
        payload: {
          summary: titleOf(message),
          source: message.cluster,
          severity: message.kind === 'certificate' || message.kind === 'upload' ? 'error' : 'info',
          timestamp: message.time.toISOString(),
          custom_details: { text: message.words, user: message.user, annotations: message.annotations },
        },
        ...(message.link !== '' && { links: [{ href: message.link, text: 'Open in Postern' }] }),
      }),
  },
  // docs.opsgenie.com, Alert API: the same alias again is the same alert.
  opsgenie: {
    request: (message, spec) =>
      post(
        below(addressOf('opsgenie', spec), '/v2/alerts'),
        {
          message: titleOf(message),
          alias: message.id,
          description: message.words,
          source: message.cluster,
          tags: [message.kind],
          details: detailsOf(message),
          ...(spec.team !== undefined && { responders: [{ type: 'team', name: spec.team }] }),
        },
        { authorization: `GenieKey ${spec.token ?? ''}` },
      ),
  },
  // developer.atlassian.com, REST v2: the description is a text of its own markup.
  jira: {
    request: (message, spec) =>
      post(
        below(addressOf('jira', spec), '/rest/api/2/issue'),
        {
          fields: {
            project: { key: spec.project },
            issuetype: { name: spec.issue_type ?? fieldsOf('jira').issue_type?.otherwise },
            summary: titleOf(message),
            description: `{noformat}${message.words.replaceAll('{noformat}', '{no format}')}{noformat}`,
          },
        },
        { authorization: basic(spec.username ?? '', spec.token ?? '') },
      ),
  },
  // docs.github.com, REST: create an issue.
  github: {
    request: (message, spec) =>
      post(
        below(addressOf('github', spec), `/repos/${spec.repository ?? ''}/issues`),
        {
          title: titleOf(message),
          body: markdownText(message.words),
          ...(spec.labels !== undefined && { labels: spec.labels }),
        },
        {
          authorization: `Bearer ${spec.token ?? ''}`,
          accept: 'application/vnd.github+json',
          'x-github-api-version': '2022-11-28',
        },
      ),
  },
  // Ours, signed as many do: the time is part of what is signed, so that an old request cannot be sent again.
  webhook: {
    request: (message, { url = '', signing_key: key }, now) => {
      const seconds = Math.floor(now.getTime() / 1000);
      const { id, kind, title, text, annotations, user, link, time, cluster, words } = message;
      const sent = post(
        url,
        { id, kind, title, text, annotations, user, link, time: time.toISOString(), cluster, message: words },
        { 'x-postern-event': id },
      );
      if (key === undefined) return sent;
      const signature = createHmac('sha256', key).update(`${seconds}.${sent.body}`).digest('hex');
      return { ...sent, headers: { ...sent.headers, 'x-postern-signature': `t=${seconds},v1=${signature}` } };
    },
  },
};

// Doubles of the services that plugins speak to, by their published interfaces. Each refuses what the real one refuses; `fails` decides what befalls
// a request: before it is taken, or after, so that the answer is lost.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PluginKind } from '../../../contract/plugin-kinds.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';

export type Fate = 'taken' | 'refused' | 'cut' | 'taken, then cut';
interface TakenMessage {
  readonly kind: PluginKind;
  /** What people would read. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}
export interface Vendors {
  /** Messages in the order in which they were taken. */
  readonly taken: TakenMessage[];
  /** How many requests there were, taken or not. */
  requests(): number;
  /** The spec of a plugin that speaks to a double. */
  specOf(kind: Exclude<PluginKind, 'email'>): PluginSpec;
  close(): Promise<void>;
}

const TOKEN = 'secret-token-of-a-vendor';
type Body = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined: it did not take it. */
  readonly taken?: string;
}
const refused = (status: number, text: string): Answer => ({ status, text });
const taken = (status: number, text: string, words: unknown): Answer => ({ status, text, taken: String(words) });

/** One row for each service: its path, and what it makes of a request. */
const doubles: Readonly<
  Record<
    Exclude<PluginKind, 'email'>,
    { readonly path: string; readonly answer: (body: Body, asked: IncomingMessage) => Answer }
  >
> = {
  // "ok" in plain text; "invalid_payload", "no_text", "no_service" otherwise.
  slack: {
    path: '/services/T000/B000/XXXX',
    answer: ({ text }) => (typeof text === 'string' && text !== '' ? taken(200, 'ok', text) : refused(400, 'no_text')),
  },
  mattermost: {
    path: '/hooks/4ckfh3bnjig8mdtzqyxxxmy9me',
    answer: ({ text }) =>
      typeof text === 'string' && text !== ''
        ? taken(200, 'ok', text)
        : refused(400, '{"id":"web.incoming_webhook.text.app_error"}'),
  },
  // 204 without a body; an empty or overlong content is code 50035 or 50006.
  discord: {
    path: '/api/webhooks/123/abc',
    answer: ({ content }) =>
      typeof content === 'string' && content !== '' && content.length <= 2000
        ? taken(204, '', content)
        : refused(400, '{"message":"Cannot send an empty message","code":50006}'),
  },
  msteams: {
    path: '/workflows/1/triggers/manual/paths/invoke',
    answer: ({ type, attachments }) => {
      const [card] = (attachments ?? []) as {
        contentType?: string;
        content?: { type?: string; body?: { text?: string }[] };
      }[];
      return type === 'message' &&
        card?.contentType === 'application/vnd.microsoft.card.adaptive' &&
        card.content?.type === 'AdaptiveCard'
        ? taken(202, '', card.content.body?.[0]?.text)
        : refused(400, 'Bad payload received by generic incoming webhook.');
    },
  },
  pagerduty: {
    path: '/v2/enqueue',
    answer: ({ routing_key, event_action, payload }) => {
      const { summary, source, severity } = (payload ?? {}) as Body;
      if (routing_key !== TOKEN) return refused(400, '{"status":"invalid event","errors":["Routing key is invalid"]}');
      const isWhole =
        event_action === 'trigger' &&
        typeof summary === 'string' &&
        summary.length <= 1024 &&
        typeof source === 'string' &&
        ['info', 'warning', 'error', 'critical'].includes(String(severity));
      return isWhole ? taken(202, '{"status":"success"}', summary) : refused(400, '{"status":"invalid event"}');
    },
  },
  opsgenie: {
    path: '/v2/alerts',
    answer: ({ message, alias }, { headers }) => {
      if (headers.authorization !== `GenieKey ${TOKEN}`) return refused(401, '{"message":"Could not authenticate"}');
      return typeof message === 'string' && message.length <= 130 && String(alias).length <= 512
        ? taken(202, '{"result":"Request will be processed"}', message)
        : refused(422, '{"message":"Request body is not processable."}');
    },
  },
  jira: {
    path: '/rest/api/2/issue',
    answer: ({ fields }, { headers }) => {
      const { project, issuetype, summary } = (fields ?? {}) as { project?: Body; issuetype?: Body; summary?: string };
      const expected = `Basic ${Buffer.from(`bot@example.com:${TOKEN}`).toString('base64')}`;
      if (headers.authorization !== expected) return refused(401, '{"errorMessages":["You are not authenticated"]}');
      return project?.key === 'OPS' &&
        typeof issuetype?.name === 'string' &&
        summary &&
        !/[\r\n]/.test(summary) &&
        summary.length <= 255
        ? taken(201, '{"id":"10000","key":"OPS-1"}', summary)
        : refused(400, '{"errors":{"summary":"You must specify a summary of the issue."}}');
    },
  },
  github: {
    path: '/repos/acme/ops/issues',
    answer: ({ title }, { headers }) => {
      if (headers.authorization !== `Bearer ${TOKEN}`) return refused(401, '{"message":"Bad credentials"}');
      if (headers['user-agent'] === undefined) return refused(403, 'Request forbidden by administrative rules.');
      return typeof title === 'string' && title !== ''
        ? taken(201, '{"number":1}', title)
        : refused(422, '{"message":"Validation Failed"}');
    },
  },
  webhook: {
    path: '/anything',
    answer: ({ title }) => taken(204, '', title),
  },
};
const kinds = Object.keys(doubles) as (keyof typeof doubles)[];

/** Listens on loopback. You must close it. `fate` is asked at every request. */
export async function openVendors(fate: () => Fate = () => 'taken', port = 0): Promise<Vendors> {
  const messages: TakenMessage[] = [];
  let requests = 0;
  const server = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    requests += 1;
    const chosen = fate();
    if (chosen === 'cut') return asked.socket.destroy();
    if (chosen === 'refused') return answer.writeHead(500).end('try again');
    const kind = kinds.find(one => asked.url === doubles[one].path);
    if (kind === undefined || asked.method !== 'POST') return answer.writeHead(404).end('no_service');
    const said = doubles[kind].answer(JSON.parse(body) as Body, asked);
    if (said.taken !== undefined) messages.push({ kind, text: said.taken, headers: asked.headers, body });
    if (chosen === 'taken, then cut') return asked.socket.destroy();
    return answer.writeHead(said.status).end(said.status === 204 ? undefined : said.text);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    taken: messages,
    requests: () => requests,
    specOf(kind) {
      const url = `${origin}${doubles[kind].path}`;
      switch (kind) {
        case 'pagerduty':
        case 'opsgenie':
          return { address: origin, token: TOKEN };
        case 'jira':
          return { address: origin, username: 'bot@example.com', token: TOKEN, project: 'OPS' };
        case 'github':
          return { address: origin, repository: 'acme/ops', token: TOKEN };
        case 'webhook':
          return { url, signing_key: 'a key of ours' };
        default:
          return { url };
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

// Sending one message by one plugin, whatever its kind, and what an answer means for its status.
import type { PluginKind } from '../../../contract/plugin-kinds.ts';
import type { PluginSpec } from '../../../contract/plugins.ts';
import type { Users } from '../../store/store.ts';
import type { Message } from './message.ts';
import type { OutgoingAnswer, SendRequest } from './outgoing.ts';
import { httpSenders } from './senders.ts';

/** People who get one mail. */
const RECIPIENTS_MOST = 200;
/** Of what a service said was wrong, characters. */
const SAID_MOST_CHARACTERS = 200;

/** Codes of the wire for how an integration fares. */
const [OTHER_ERROR, UNAUTHORIZED, NOT_IN_CHANNEL] = [2, 3, 10];

/** A service that did not take it. */
export class NotTaken extends Error {
  readonly statusCode: number;
  constructor(message: string, statusCode = OTHER_ERROR) {
    super(message);
    this.statusCode = statusCode;
  }
}
/** Status of a failure of whatever kind. */
export const statusOf = (error: unknown): number => {
  if (error instanceof NotTaken) return error.statusCode;
  // nodemailer: the server did not accept name and password.
  return (error as { readonly code?: unknown } | null)?.code === 'EAUTH' ? UNAUTHORIZED : OTHER_ERROR;
};

export interface SendParts {
  readonly request: SendRequest;
  readonly users: Pick<Users, 'list'>;
  /** Plugins may reach the gateway's own machine. */
  readonly own: boolean;
  readonly clock: () => Date;
}

/** Resolves once the service has taken it. Rejects with NotTaken, or with what the network said. */
export async function send(
  { request, users, own, clock }: SendParts,
  kind: PluginKind,
  spec: PluginSpec,
  message: Message,
): Promise<void> {
  if (kind === 'email') {
    const recipients = await recipientsOf(users, spec, message);
    // Nobody is meant by it: that is no failure.
    if (recipients.length === 0 && message.kind !== 'test') return;
    if (recipients.length === 0)
      throw new NotTaken('nobody would get this mail: no address, and nobody with these roles has one');
    const { sendMail } = await import('./mail.ts');
    return sendMail(message, spec, recipients, own);
  }
  const answer = await request(httpSenders[kind].request(message, spec, clock()));
  if (answer.status < 200 || answer.status > 299) throw notTaken(kind, answer);
}

function notTaken(kind: PluginKind, { status, text }: OutgoingAnswer): NotTaken {
  const said = text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, SAID_MOST_CHARACTERS);
  const what = `it answered ${status}${said === '' ? '' : `: ${said}`}`;
  // api.slack.com/messaging/webhooks, "Handling errors".
  if (kind === 'slack' && /^(channel_not_found|not_in_channel|channel_is_archived)/.test(said))
    return new NotTaken(what, NOT_IN_CHANNEL);
  const code = status === 401 || status === 403 ? UNAUTHORIZED : OTHER_ERROR;
  return new NotTaken(what, code);
}

/** Addresses that a mail goes to: those written down, people by their roles, and whoever was answered. */
async function recipientsOf(
  users: Pick<Users, 'list'>,
  { to = [], to_roles = [], to_asker }: PluginSpec,
  { kind, user }: Message,
): Promise<readonly string[]> {
  const asker = to_asker && kind === 'answer' ? user : null;
  const people = to_roles.length === 0 && asker === null ? [] : await users.list();
  const meant = people.filter(({ name, roles }) => name === asker || roles.some(role => to_roles.includes(role)));
  const found = meant.flatMap(({ name, traits }) => [traits.email?.[0] ?? name].filter(isMailAddress));
  return [...new Set([...to, ...found])].slice(0, RECIPIENTS_MOST);
}
const isMailAddress = (text: string): boolean => /^[^\s\p{Cc}@<>,;"]{1,64}@[^\s\p{Cc}@<>,;"]{1,189}$/u.test(text);

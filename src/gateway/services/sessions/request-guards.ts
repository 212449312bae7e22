// Requests to clusters that guards are about: refused, sent with a warning, or kept until a reviewer has decided.
import type { GuardMatch } from '../../ports/databases.ts';
import type { AskedRequest, Guarded, RequestGuards, RequestWish } from '../../ports/kubernetes.ts';
import { matchRequestGuards } from './policy/request-guards.ts';
import type { StatementReviews } from './reviews.ts';

/** What may be allowed for a session is remembered of so many web sessions, and so many texts of one. */
const SESSIONS_MOST = 1000;
const ALLOWED_MOST = 1000;
/** Of what is sent, what a reviewer sees, characters. */
const SHOWN_MOST_CHARACTERS = 16_000;

const fieldsOf = ({ guard, role, effect }: GuardMatch): Readonly<Record<string, string>> => ({
  guard,
  guard_role: role,
  guard_effect: effect,
});
const PASSES: Guarded = { refused: null, warning: '', fields: {} };
const sends = new Set(['create', 'update', 'patch']);

export function createRequestGuards(reviews: Pick<StatementReviews, 'ask'>): RequestGuards {
  /** What was allowed for a web session, and by whom. */
  const allowed = new Map<string, Map<string, string>>();
  function remember(session: string, key: string, by: string): void {
    const known = allowed.get(session) ?? new Map<string, string>();
    if (known.size < ALLOWED_MOST) known.set(key, by);
    allowed.delete(session);
    allowed.set(session, known);
    const [oldest] = allowed.keys();
    if (allowed.size > SESSIONS_MOST && oldest !== undefined) allowed.delete(oldest);
  }
  async function ask(wish: RequestWish, match: GuardMatch, asked: AskedRequest): Promise<Guarded> {
    const { who, access, request } = wish;
    const { text, isWhole } = await textOf(wish, asked);
    const key = JSON.stringify([access.cluster.name, access.kubeUser, text, match]);
    const known = isWhole ? allowed.get(who.webSessionId)?.get(key) : undefined;
    if (known !== undefined) return { refused: null, warning: '', fields: { ...fieldsOf(match), reviewer: known } };
    const review = reviews.ask({
      ...{ sid: '', owner: who, dbUser: access.kubeUser, dbName: request.namespace ?? '', text, isWhole },
      database: { ...access.cluster, protocol: 'kubernetes' },
      match: () => match,
      plan: async () => ({ text: '', without: 'clusters make none' }),
      waits: () => undefined,
    });
    const stop = (why: string): void => review.settle({ allowed: false, why });
    const gone = (): void => stop('the client has given up');
    const leave = asked.hold(stop);
    asked.signal?.addEventListener('abort', gone);
    if (asked.signal?.aborted) gone();
    const decision = await review.decided;
    asked.signal?.removeEventListener('abort', gone);
    leave();
    const fields = { ...fieldsOf(match), ...(decision.by !== undefined && { reviewer: decision.by }) };
    if (!decision.allowed) return { refused: `${match.text}: ${decision.why}`, warning: '', fields };
    const { by = '', isForSession = false } = decision;
    if (isForSession) remember(who.webSessionId, key, by);
    return { refused: null, warning: `${match.text}: allowed by ${by}`, fields };
  }
  return {
    async judge(wish, asked) {
      const { who, access, request } = wish;
      const match = matchRequestGuards(who.rights.guards('kube_cluster', access.cluster.labels), request);
      if (!match) return PASSES;
      if (match.effect === 'ask') return ask(wish, match, asked);
      return match.effect === 'block'
        ? { refused: match.text, warning: '', fields: fieldsOf(match) }
        : { refused: null, warning: match.text, fields: fieldsOf(match) };
    },
    refusal(rights, labels, of) {
      const match = matchRequestGuards(rights.guards('kube_cluster', labels), of);
      return match?.effect === 'block' ? match.text : null;
    },
  };
}

/** A request as a reviewer reads it. What is sent with it stands below; only where all of it is seen can it be told again. */
async function textOf({ request }: RequestWish, asked: AskedRequest): Promise<{ text: string; isWhole: boolean }> {
  const { verb, kind, namespace, name, path } = request;
  const at = path.indexOf('?');
  const what = [verb, kind, ...(name === null ? [] : [name]), ...(namespace === null ? [] : [`in ${namespace}`])].join(
    ' ',
  );
  const head = at < 0 ? what : `${what}\n${decodeURIComponent(path.slice(at + 1).replaceAll('+', ' '))}`;
  const sent = await asked.body();
  if (sent.length === 0) return { text: head, isWhole: !sends.has(verb) };
  const body = sent.toString('utf8');
  const isText = !/[\0\ufffd]/.test(body);
  // Some clients send kinds that are built in as protobuf: of that, the texts in it.
  const texts = isText ? body : (sent.toString('latin1').match(/[ -~]+/g) ?? []).join(' ');
  const shown = texts.slice(0, SHOWN_MOST_CHARACTERS);
  return {
    text: `${head}\n\n${isText ? '' : `(${sent.length} bytes of protobuf, the texts in them:)\n`}${shown}`,
    isWhole: isText && body.length <= SHOWN_MOST_CHARACTERS,
  };
}

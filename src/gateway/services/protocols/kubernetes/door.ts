// The way into one cluster for one person: every request is judged, sent as whom the cluster is to take them for, and in the audit log.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import * as z from 'zod/mini';
import { Failure, type FailureCode, failures } from '../../../../contract/failure.ts';
import type { AuditEntry, AuditLog } from '../../../ports/audit.ts';
import type { ContainerSession, KubernetesAccess, OpenContainer, RequestGuards } from '../../../ports/kubernetes.ts';
import { ConnectError } from '../../../ports/reach.ts';
import type { Passage } from '../../../ports/sessions.ts';
import type { Who } from '../../../ports/who.ts';
import type { ClusterConnections } from './connection.ts';
import { answeredHeaders, headerOf, sentHeaders, wantedBy, warningHeaders } from './headers.ts';
import { actAs, judge, lastingRefusal, refusalText } from './judge.ts';
import { namedIn } from './made-object.ts';
import { acceptingJson, openPart } from './part.ts';
import { type RequestInfo, requestInfo } from './request-info.ts';
import type { Cluster } from './target.ts';

/** What an API server takes at most as the body of one object, bytes. */
const OBJECT_MOST_BYTES = 3 * 1024 * 1024;
/** Of an answer that is read whole here, bytes. */
const ANSWER_MOST_BYTES = 32 * 1024 * 1024;

/** What a session policy and the audit log are told of a request. */
interface Wish {
  readonly who: Who;
  readonly device?: string;
  readonly access: KubernetesAccess;
  readonly request: RequestInfo;
  /** What the audit log has of a guard that is about it. */
  readonly guarded?: Readonly<Record<string, string>>;
}
export interface DoorParts {
  readonly guards: RequestGuards;
  readonly connections: ClusterConnections;
  readonly audit: AuditLog;
  /** Whether locks and second factors leave it. Throws Failure denied; the audit log has it then. */
  readonly permit: (wish: Wish) => Promise<void>;
  /** Whether one more program or forwarded port may be open; the answer says that it is over. Throws as `permit` does. */
  readonly connect: (wish: Wish) => Promise<() => void>;
  /** The entry of a request in the audit log. */
  readonly requestEvent: (wish: Wish, code: number, error?: string) => AuditEntry;
  /** Holds what lasts, so that policy can end it; the answer takes it out. Throws Failure limited. */
  readonly enter: (passage: Passage) => () => void;
  readonly sessions: { relayContainer(request: OpenContainer): Promise<ContainerSession> };
}
interface ClusterRequest {
  readonly method: string;
  /** Path and query, as a client writes them. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  readonly body?: Readable | Buffer | string;
  /** Aborts it. */
  readonly signal?: AbortSignal;
}
interface ClusterAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** It is destroyed with the sentence when it may not go on. */
  readonly body: Readable;
}
/** A connection that has become something else. */
export interface Upgraded {
  readonly status: number;
  readonly headers: readonly string[];
  readonly socket: Duplex;
  /** What came with the answer. */
  readonly head: Buffer;
}
/** What is about to be upgraded: judged, and not yet sent. */
export interface Upgrade {
  readonly info: RequestInfo;
  readonly access: KubernetesAccess;
  /** Sends it, with the headers of a client. Throws ConnectError, and ClusterRefusal for what the cluster answers instead. */
  open(headers: readonly string[]): Promise<Upgraded>;
  /** The session policy's view of it. */
  readonly reached: Passage['reached'];
}
/** What the API server itself has refused, with its own words. */
export class ClusterRefusal extends Error {
  override readonly name = 'ClusterRefusal';
  readonly status: number;
  readonly body: string;
  constructor(status: number, body: string) {
    super(messageIn(body) || `the cluster answered ${status}`);
    this.status = status;
    this.body = body;
  }
}
export interface KubernetesDoor {
  readonly cluster: Cluster;
  readonly who: Who;
  /** Id of the device that was shown for it; '' where none was. */
  readonly device: string;
  /**
   * Answers what the cluster does, its refusals as well. Throws Failure denied, bad_request, limited, unavailable (the audit log cannot be
   * written), and ConnectError.
   */
  request(asked: ClusterRequest): Promise<ClusterAnswer>;
  /** The same, read whole. Throws Failure also for what the cluster refuses, in its words. */
  json(method: string, path: string, body?: object): Promise<unknown>;
  /** Something that is to become a stream: exec, attach, port-forward; `headers` say as whom. Throws as `request` does. */
  upgrade(asked: Omit<ClusterRequest, 'body'>): Promise<Upgrade>;
  /** Begins the session of a program in a container. Throws as the sessions do. */
  relay(
    request: Omit<OpenContainer, 'who' | 'device' | keyof KubernetesAccess> & { readonly access: KubernetesAccess },
  ): Promise<ContainerSession>;
  /** Holds what lasts beside a session, so that policy can end it; the answer takes it out. Throws Failure limited. */
  hold(upgrade: Pick<Upgrade, 'reached'>, end: (why: string) => void): () => void;
}

const message = z.object({ message: z.string() });
function messageIn(body: string): string {
  try {
    return z.parse(message, JSON.parse(body)).message;
  } catch {
    return '';
  }
}
const headersOfJson = (body: object | undefined): string[] =>
  body === undefined
    ? ['Accept', 'application/json']
    : ['Accept', 'application/json', 'Content-Type', 'application/json'];

export function openDoor(parts: DoorParts, who: Who, cluster: Cluster, device: string): KubernetesDoor {
  const { connections, audit } = parts;
  const own = who.rights.options.reachLoopback;
  const given = { who, ...(device !== '' && { device }) };

  async function noted(entry: AuditEntry): Promise<void> {
    try {
      await audit.emit(entry);
    } catch {
      throw new Failure('unavailable', 'The audit log could not be written: nothing is answered without it.');
    }
  }
  async function refuse(wish: Wish, why: string): Promise<never> {
    await noted(parts.requestEvent(wish, failures.denied.status, why));
    throw new Failure('denied', why);
  }
  /** As whom, and how much of it. Throws Failure; what is refused is in the audit log. */
  async function judged({ method, path, headers = [], signal }: ClusterRequest, body: () => Promise<Buffer>) {
    const info = requestInfo(method, path);
    const nobody = { cluster, kubeUser: '', kubeGroups: [] };
    let access: KubernetesAccess = nobody;
    try {
      access = { cluster, ...actAs(who.rights, who.user, cluster.labels, wantedBy(headers)) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return refuse({ ...given, access: nobody, request: info }, error.message);
    }
    const wish = { ...given, access, request: info };
    await parts.permit(wish);
    const decision = judge(who.rights.kubernetes(cluster.labels), cluster.name, info);
    if (typeof decision === 'object') return refuse(wish, decision.refusal);
    const guarded = await parts.guards.judge(wish, {
      ...{ body, signal },
      hold: end => hold(reachedOf(info, access), end),
    });
    const told = { ...wish, guarded: guarded.fields };
    if (guarded.refused !== null) return refuse(told, guarded.refused);
    return { wish: told, info, access, isPart: decision === 'part', warning: guarded.warning };
  }
  const reachedOf = (info: RequestInfo, access: KubernetesAccess): Passage['reached'] => ({
    kind: 'kube_cluster',
    name: cluster.name,
    refusal: (rights, labels) =>
      labels &&
      (lastingRefusal(rights, labels, { cluster: cluster.name, person: who.user, info, as: access }) ??
        parts.guards.refusal(rights, labels, info)),
  });
  const hold = (reached: Passage['reached'], end: (why: string) => void): (() => void) =>
    parts.enter({ who, devices: [who.mfaDevice, device].filter(id => id !== ''), reached, end });

  async function request(asked: ClusterRequest): Promise<ClusterAnswer> {
    const { method, headers = [], signal } = asked;
    let { body } = asked;
    const { wish, info, access, isPart, warning } = await judged(asked, async () => {
      const read = await readBody(body ?? '', OBJECT_MOST_BYTES);
      body = read;
      return read;
    });
    const keep = ({ name, namespace }: { name: string; namespace: string }): boolean =>
      who.rights.kubernetes(cluster.labels).permits({ verb: info.verb, kind: info.kind, namespace, name });
    if (isPart && info.verb === 'create') {
      const made = await readBody(body ?? '', OBJECT_MOST_BYTES);
      const { name, namespace } = namedIn(made, headerOf(headers, 'content-type'));
      if (!keep({ name, namespace: info.namespace ?? namespace }))
        return refuse(wish, refusalText(cluster.name, { ...info, name: name === '' ? null : name }));
      body = made;
    }
    const isRead = isPart && info.verb !== 'create';
    const sent = sentHeaders(headers, access);
    const call = connections.request(cluster, own, {
      method,
      path: info.path,
      headers: isRead ? readInParts(sent) : sent,
    });
    let answered: IncomingMessage | undefined;
    const end = (why: Error): void => void (answered ?? call).destroy(why);
    const leave = hold(reachedOf(info, access), why => end(new Failure('denied', why)));
    const abort = (): void => end(new Failure('bad_request', 'given up'));
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = await answerOf(call, body);
      answered = answer;
      // Whoever reads it hears of its end; until then, and after that, nobody does.
      for (const one of [call, answer]) one.on('error', () => undefined);
      const { statusCode: status = 502, rawHeaders } = answer;
      answer.once('close', () => {
        leave();
        signal?.removeEventListener('abort', abort);
      });
      if (info.kind !== '') await noted(parts.requestEvent(wish, status));
      const isRewritten = isRead && status === 200;
      return {
        status,
        headers: [...answeredHeaders(rawHeaders, isRewritten), ...warningHeaders(warning)],
        body: isRewritten ? pipeline(answer, openPart(keep, info.verb === 'watch'), () => undefined) : answer,
      };
    } catch (error) {
      leave();
      signal?.removeEventListener('abort', abort);
      call.destroy();
      if (error instanceof ConnectError)
        await noted(parts.requestEvent(wish, failures.unreachable.status, error.message));
      throw error;
    }
  }

  return {
    cluster,
    who,
    device,
    request,
    async json(method, path, body) {
      const written = body === undefined ? undefined : JSON.stringify(body);
      const length = written === undefined ? [] : ['Content-Length', String(Buffer.byteLength(written))];
      const answer = await request({
        method,
        path,
        headers: [...headersOfJson(body), ...length],
        ...(written !== undefined && { body: written }),
      });
      const text = (await readBody(answer.body, ANSWER_MOST_BYTES)).toString();
      if (answer.status >= 400)
        throw new Failure(codeOf(answer.status), messageIn(text) || `the cluster answered ${answer.status}`);
      return parsed(text);
    },
    async upgrade(asked) {
      const { method, signal } = asked;
      const { wish, info, access } = await judged(asked, async () => Buffer.alloc(0));
      const reached = reachedOf(info, access);
      return {
        info,
        access,
        reached,
        async open(sent) {
          const leave = await parts.connect(wish);
          const call = connections.request(cluster, own, {
            method,
            path: info.path,
            headers: [...sentHeaders(sent, access), 'Connection', 'Upgrade', 'Upgrade', headerOf(sent, 'upgrade')],
          });
          const abort = (): void => void call.destroy();
          signal?.addEventListener('abort', abort, { once: true });
          try {
            const upgraded = await upgradeOf(call);
            upgraded.socket.once('close', leave);
            await noted(parts.requestEvent(wish, upgraded.status)).catch((error: unknown) => {
              upgraded.socket.destroy();
              throw error;
            });
            return upgraded;
          } catch (error) {
            leave();
            if (error instanceof ClusterRefusal) await noted(parts.requestEvent(wish, error.status));
            throw error;
          } finally {
            signal?.removeEventListener('abort', abort);
          }
        },
      };
    },
    relay: ({ access, ...wanted }) => parts.sessions.relayContainer({ ...wanted, ...access, ...given }),
    hold: ({ reached }, end) => hold(reached, end),
  };
}

/** Sends the body and waits for the answer's head. What failed for other reasons than ours is a ConnectError. */
async function answerOf(call: ClientRequest, body: ClusterRequest['body']): Promise<IncomingMessage> {
  if (typeof body === 'object' && !Buffer.isBuffer(body)) body.pipe(call);
  else call.end(body);
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer;
  } catch (error) {
    throw lostBy(error);
  }
}
async function upgradeOf(call: ClientRequest): Promise<Upgraded> {
  const opened = new Promise<Upgraded>((done, fail) => {
    call.once('upgrade', ({ statusCode: status = 101, rawHeaders: headers }, socket, head) =>
      done({ status, headers, socket, head }),
    );
    call.once('response', answer =>
      readBody(answer, OBJECT_MOST_BYTES).then(
        text => fail(new ClusterRefusal(answer.statusCode ?? 502, text.toString())),
        fail,
      ),
    );
    call.once('error', error => fail(lostBy(error)));
  });
  call.end();
  return opened;
}
const lostBy = (error: unknown): Error =>
  error instanceof Failure || error instanceof ConnectError
    ? error
    : new ConnectError(
        'failed',
        `The connection to the API server was lost: ${error instanceof Error ? error.message : error}`,
      );

/** Throws Failure too_large. */
async function readBody(body: NonNullable<ClusterRequest['body']>, most: number): Promise<Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) throw new Failure('too_large', `more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
/** What is asked for where the answer is read here. */
const readInParts = (headers: readonly string[]): string[] => {
  const accept = acceptingJson(headerOf(headers, 'accept'));
  const kept = headers.flatMap((name, index) =>
    index % 2 === 0 && !/^accept(-encoding)?$/i.test(name) ? [name, headers[index + 1] ?? ''] : [],
  );
  return [...kept, 'Accept', accept];
};
/** What a refusal of the cluster is here. */
const codeOf = (status: number): FailureCode =>
  status === 403 || status === 401
    ? 'denied'
    : status === 404
      ? 'not_found'
      : status === 409
        ? 'exists'
        : status < 500
          ? 'bad_request'
          : 'unavailable';

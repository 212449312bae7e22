// The assistant's socket: questions and answers of a conversation, or one of the actions outside of one. Text frames of JSON.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import {
  ANSWER_OVER,
  ASKED_MOST_CHARACTERS,
  type AssistantAction,
  type AssistantMessage,
  askedFrame,
  assistantActions,
  assistantPath,
} from '../../contract/assistant.ts';
import { Failure } from '../../contract/failure.ts';
import { closeCodes } from '../../contract/terminal.ts';
import { refuseOtherCluster } from '../http/cluster.ts';
import type { Who } from '../ports/who.ts';
import type { Assistant } from '../services/assistant/assistant.ts';
import type { Identity } from '../services/identity/identity.ts';
import { finish, keepAlive, type Socket } from './socket.ts';
import { type Sockets, wantsUpgrade } from './sockets.ts';

/** Sockets of one web session: a panel, a page and terminals. */
const SOCKETS_MOST = 20;
/** Longest piece of a terminal that is explained, bytes; and its frame, base64. */
const EXPLAINED_MOST_BYTES = 32_768;
const FRAME_MOST_CHARACTERS = 65_536;

export interface AssistantSocketServices {
  readonly assistant: Pick<Assistant, 'check' | 'ask' | 'act'>;
  readonly identity: { readonly sessions: Pick<Identity['sessions'], 'again' | 'active'> };
  readonly config: { readonly clusterName: string; readonly keepAliveMs: number };
}
interface Wanted {
  readonly who: Who;
  /** Exactly one of both. */
  readonly conversation: string | undefined;
  readonly action: AssistantAction | undefined;
}

/** Registers the socket. Its query carries a token, so no line of the log may show its URL. */
export function serveAssistantSocket(app: FastifyInstance, sockets: Sockets, services: AssistantSocketServices): void {
  const { assistant, identity, config } = services;
  const asked = new WeakMap<FastifyRequest, Wanted>();
  const open = new Map<Socket, string>();

  app.get<{ Params: { clusterId: string }; Querystring: Record<string, unknown> }>(
    assistantPath,
    {
      websocket: true,
      config: { socket: true },
      preValidation: async (request, reply) => {
        const who = await sockets.authenticate(request);
        refuseOtherCluster(request.params.clusterId, config.clusterName);
        const { conversation_id: id = '', action: named = '' } = request.query;
        if ((id === '') === (named === ''))
          throw new Failure('bad_request', 'either conversation_id or action is required', {
            conversation_id: 'this or action',
          });
        const action = assistantActions.find(one => one === named);
        if (named !== '' && action === undefined)
          throw new Failure('bad_request', `action: one of ${assistantActions.join(', ')}`, {
            action: `one of ${assistantActions.join(', ')}`,
          });
        const conversation = id === '' ? undefined : String(id).slice(0, 64);
        await assistant.check(who, conversation);
        if ([...open.values()].filter(id => id === who.webSessionId).length >= SOCKETS_MOST)
          throw new Failure('limited', 'this session has too many conversations open');
        asked.set(request, { who, conversation, action });
        if (!request.ws) return wantsUpgrade(reply);
      },
    },
    (socket: Socket, request) => {
      const wanted = asked.get(request);
      if (!wanted) return socket.terminate();
      const { who: opener, conversation, action } = wanted;
      open.set(socket, opener.webSessionId);
      const forget = sockets.add(opener, why => finish(socket, closeCodes.denied, why));
      let answering: AbortController | null = null;
      socket.on('close', () => {
        forget();
        open.delete(socket);
        // Whoever has left hears nothing more, and the model is asked for nothing more.
        answering?.abort();
      });
      keepAlive(socket, config.keepAliveMs);

      const tell = (message: AssistantMessage): void => {
        const given = conversation === undefined ? message : { conversation_id: conversation, ...message };
        if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(given), { binary: false });
      };
      const told = (type: AssistantMessage['type'], payload: string): void =>
        tell({ type, created_time: new Date().toISOString(), payload });
      const say = (text: string): void => told('CHAT_MESSAGE_ERROR', text);
      const over = (): void => {
        if (action === undefined) told('CHAT_MESSAGE_SYSTEM', ANSWER_OVER);
      };

      async function answer(text: string): Promise<void> {
        const own = new AbortController();
        answering = own;
        try {
          // Rights of this moment, not of when the socket was opened.
          const who = await identity.sessions.again(opener);
          identity.sessions.active(who.webSessionId);
          await assistant.check(who, conversation);
          const messages =
            action === undefined
              ? assistant.ask(who, conversation ?? '', text, own.signal)
              : assistant.act(who, action, text, own.signal);
          for await (const message of messages) tell(message);
        } catch (error) {
          if (error instanceof Failure) return say(`${error.message}.`);
          request.log.error({ err: error }, 'the assistant could not go on');
          finish(socket, closeCodes.failed, `the assistant could not go on (request ${request.id})`);
        } finally {
          answering = null;
          over();
        }
      }

      socket.on('message', (frame, isBinary) => {
        const text = isBinary ? '' : String(frame);
        const read = text.length > FRAME_MOST_CHARACTERS ? 'more than a question may hold' : readFrame(action, text);
        if (typeof read === 'string') {
          say(`This cannot be asked: ${read}.`);
          if (!answering) over();
          return;
        }
        if (read.cancel) return answering?.abort();
        if (answering) return say('Wait for the answer, or stop it, before you ask again.');
        void answer(read.payload);
      });
    },
  );
}

/** What a client's frame asks, or what is wrong with it. Actions take their text as it is, pieces of terminals as base64. */
function readFrame(
  action: AssistantAction | undefined,
  text: string,
): { readonly payload: string; readonly cancel: boolean } | string {
  if (action === undefined) {
    const read = z.safeParse(askedFrame, parseJson(text));
    if (!read.success) return read.error.issues[0]?.message ?? 'not a question';
    return read.data.cancel || read.data.payload.trim() !== '' ? read.data : 'nothing was asked';
  }
  if (action !== 'ssh-explain') {
    if (text.length > ASKED_MOST_CHARACTERS) return `at most ${ASKED_MOST_CHARACTERS} characters`;
    return text.trim() === '' ? 'nothing was asked' : { payload: text, cancel: false };
  }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return 'base64 expected';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > EXPLAINED_MOST_BYTES) return `at most ${EXPLAINED_MOST_BYTES} bytes`;
  return { payload: bytes.toString(), cancel: false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

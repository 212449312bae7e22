// The assistant as its page and its panel show it: the conversations there are, and the one that is open. One for both.
import { proxy } from 'valtio';
import * as z from 'zod/mini';
import { type AssistantConnection, openAssistant } from '../../../client/assistant.ts';
import { toApiError } from '../../../client/errors.ts';
import {
  ANSWER_OVER,
  type AssistantMessage,
  type Conversation,
  commandResult,
  commandSummary,
  createConversation,
  deleteConversation,
  getAssistant,
  getConversation,
  listConversations,
  type Proposal,
  progress,
  proposal,
  summarizeTitle,
  titleConversation,
} from '../../../contract/assistant.ts';
import type { MakeCall } from '../../../contract/call.ts';
import { readJson } from '../../../contract/json.ts';

/** A socket that is older than this is opened anew before anything is said (contract: websockets 3), ms. */
const CONNECTION_MOST_MS = 8 * 60_000;

export type Entry =
  | { readonly kind: 'user' | 'assistant' | 'error'; text: string }
  | { readonly kind: 'progress'; readonly action: string; readonly input: string }
  | { readonly kind: 'command'; readonly proposal: Proposal }
  | { readonly kind: 'result'; readonly node: string; readonly sid: string }
  | { readonly kind: 'summary'; readonly command: string; readonly text: string };

export interface AssistState {
  /** Where what is written goes; null until the gateway has said it. */
  about: { readonly host: string; readonly model: string } | null;
  conversations: Conversation[];
  /** Id of the open conversation; '' = a new one, which begins with its first question. */
  current: string;
  entries: Entry[];
  status: 'loading' | 'idle' | 'answering';
  /** What could not be had, in words. */
  problem: string;
}
export interface AssistParts {
  readonly api: MakeCall;
  /** The gateway's own cluster. */
  readonly clusterId: string;
  readonly ports: Parameters<typeof openAssistant>[2];
  readonly now: () => number;
}
export type Assist = ReturnType<typeof createAssist>;

/** What a message is in the thread; null for what is not shown. */
function entryOf({ type, payload }: Pick<AssistantMessage, 'type' | 'payload'>): Entry | null {
  const read = <Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> | null => {
    const parsed = z.safeParse(schema, readJson(payload));
    return parsed.success ? parsed.data : null;
  };
  switch (type) {
    case 'CHAT_MESSAGE_USER':
      return { kind: 'user', text: payload };
    case 'CHAT_MESSAGE_ASSISTANT':
    case 'CHAT_PARTIAL_MESSAGE_ASSISTANT':
      return { kind: 'assistant', text: payload };
    case 'CHAT_MESSAGE_ERROR':
      return { kind: 'error', text: payload };
    case 'CHAT_MESSAGE_PROGRESS_UPDATE': {
      const told = read(progress);
      return told && { kind: 'progress', action: told.action, input: told.input ?? '' };
    }
    case 'COMMAND': {
      const asked = read(proposal);
      return asked && { kind: 'command', proposal: asked };
    }
    case 'COMMAND_RESULT': {
      const result = read(commandResult);
      return result && { kind: 'result', node: result.node_name, sid: result.session_id };
    }
    case 'COMMAND_RESULT_SUMMARY': {
      const told = read(commandSummary);
      return told && { kind: 'summary', command: told.command, text: told.summary };
    }
    default:
      return null;
  }
}

export function createAssist({ api, clusterId, ports, now }: AssistParts) {
  const state = proxy<AssistState>({
    ...{ about: null, conversations: [], current: '', entries: [], status: 'idle', problem: '' },
  });
  let connection: { readonly id: string; readonly opened: number; readonly connection: AssistantConnection } | null =
    null;
  /** The piece that streams; what comes behind its end is another. */
  let isStreaming = false;
  let asked = 0;

  const failed = (error: unknown): void => {
    state.problem = toApiError(error).message;
  };
  const hang = (): void => {
    connection?.connection.close();
    connection = null;
    isStreaming = false;
  };
  function hear(message: AssistantMessage): void {
    if (message.type === 'CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE') {
      isStreaming = false;
      return;
    }
    if (message.type === 'CHAT_MESSAGE_SYSTEM') {
      if (message.payload === ANSWER_OVER) state.status = 'idle';
      return;
    }
    const last = state.entries.at(-1);
    if (message.type === 'CHAT_PARTIAL_MESSAGE_ASSISTANT' && isStreaming && last?.kind === 'assistant') {
      last.text += message.payload;
      return;
    }
    isStreaming = message.type === 'CHAT_PARTIAL_MESSAGE_ASSISTANT';
    const entry = entryOf(message);
    if (entry !== null) state.entries.push(entry);
  }
  /** A connection to the open conversation that is young enough. */
  function connectionTo(id: string): AssistantConnection {
    if (connection?.id === id && now() - connection.opened < CONNECTION_MOST_MS) return connection.connection;
    hang();
    const opened = openAssistant(clusterId, { conversation_id: id }, ports, {
      message: hear,
      over(why) {
        if (connection?.connection !== opened) return;
        connection = null;
        isStreaming = false;
        if (state.status === 'answering')
          state.entries.push({ kind: 'error', text: why || 'The answer broke off here.' });
        state.status = 'idle';
      },
    });
    connection = { id, opened: now(), connection: opened };
    return opened;
  }
  async function list(): Promise<void> {
    try {
      state.conversations = (await api(listConversations)).conversations;
    } catch (error) {
      failed(error);
    }
  }
  return {
    state,
    async load(): Promise<void> {
      if (state.about !== null) return list();
      try {
        const { host, model } = await api(getAssistant);
        state.about = { host, model };
      } catch (error) {
        failed(error);
      }
      await list();
    },
    /** Shows a conversation; '' a new one. */
    async open(id: string): Promise<void> {
      if (id === state.current && (state.entries.length > 0 || id === '')) return;
      const mine = ++asked;
      hang();
      Object.assign(state, { current: id, entries: [], problem: '', status: id === '' ? 'idle' : 'loading' });
      if (id === '') return;
      try {
        const { messages } = await api(getConversation, { params: { id } });
        if (mine !== asked) return;
        state.entries = messages.flatMap(message => entryOf(message) ?? []);
      } catch (error) {
        if (mine === asked) failed(error);
      }
      if (mine === asked) state.status = 'idle';
    },
    /** Asks in the open conversation, or begins one. Answers its id; '' where it could not be asked. */
    async ask(text: string): Promise<string> {
      if (state.status !== 'idle' || text.trim() === '') return '';
      const mine = ++asked;
      state.status = 'answering';
      state.problem = '';
      state.entries.push({ kind: 'user', text });
      try {
        const isNew = state.current === '';
        const id = isNew ? (await api(createConversation)).id : state.current;
        if (mine !== asked) return '';
        state.current = id;
        connectionTo(id).say(JSON.stringify({ payload: text }));
        if (isNew) void titled(id, text);
        return id;
      } catch (error) {
        state.status = 'idle';
        state.entries.push({ kind: 'error', text: toApiError(error).message });
        return '';
      }
    },
    stop(): void {
      if (state.status === 'answering') connection?.connection.say(JSON.stringify({ cancel: true }));
    },
    async remove(id: string): Promise<void> {
      try {
        await api(deleteConversation, { params: { id } });
      } catch (error) {
        return failed(error);
      }
      if (state.current === id) {
        hang();
        Object.assign(state, { current: '', entries: [], status: 'idle' });
      }
      await list();
    },
  };

  /** After the first question: a title, by the assistant itself where it answers. */
  async function titled(id: string, text: string): Promise<void> {
    const { title } = await api(summarizeTitle, { body: { message: text } }).catch(() => ({ title: '' }));
    if (title !== '') await api(titleConversation, { params: { id }, body: { title } }).catch(() => undefined);
    await list();
  }
}

// The assistant: conversations of one's own, questions to the model with what it may look up, and what the audit log hears of them. Off
// until a model is set. It proposes and never does: see tools.ts.
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import {
  ANSWER_MOST_CHARACTERS,
  type AssistantAction,
  type AssistantMessage,
  CONVERSATIONS_MOST,
  type Conversation,
  commandLine,
  MESSAGES_MOST,
  type MessageType,
  type Progress,
  type Proposal,
  TITLE_MOST_CHARACTERS,
} from '../../../contract/assistant.ts';
import { Failure } from '../../../contract/failure.ts';
import { plainText } from '../../../contract/visible-text.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { Conversations } from '../../store/store.ts';
import { commanding, conversing, explaining, querying, summarizing, titling } from './instructions.ts';
import { createLimits } from './limits.ts';
import { createModel, type ModelParts, type ModelTool } from './model.ts';
import { readAgain } from './thread.ts';
import { type Looking, toolsFor } from './tools.ts';

/** Codes of the audit log. */
const codes = { asked: 'TAS00I', failed: 'TAS00E', created: 'TAS01I', removed: 'TAS02I' } as const;
/** What servers printed, as the model reads it: of each, and of all, characters. More than that has no summary. */
const OUTPUT_MOST_CHARACTERS = 4000;
const OUTPUTS_MOST_CHARACTERS = 24_000;
/** Servers of a run that a conversation keeps. */
const RESULTS_MOST = 100;
/** Commands of one answer that the audit log names. */
const PROPOSALS_MOST = 5;

export interface AssistantParts extends Looking {
  /** The model; null: there is no assistant. */
  readonly settings: (ModelParts & { readonly perMinute: number }) | null;
  readonly conversations: Conversations;
  readonly audit: AuditLog;
  readonly clusterName: string;
}

/** What one server of a run printed. */
export interface RanOn {
  readonly nodeId: string;
  readonly hostname: string;
  readonly sid: string;
  readonly output: string;
  /** How it ended, in words. */
  readonly how: string;
}
interface Ran {
  readonly executionId: string;
  readonly command: string;
  readonly on: readonly RanOn[];
}

export interface Assistant {
  about(): { readonly enabled: boolean; readonly host: string; readonly model: string; readonly perMinute: number };
  /** Throws Failure unsupported where there is no assistant, limited for one too many. */
  create(who: Who): Promise<string>;
  list(who: Who): Promise<readonly Conversation[]>;
  /** Throws Failure not_found; so do the next three. */
  messages(who: Who, id: string): Promise<readonly AssistantMessage[]>;
  remove(who: Who, id: string): Promise<void>;
  title(who: Who, id: string, title: string): Promise<void>;
  /** Whether this person may go on with it now. Throws Failure unsupported, denied, not_found. */
  check(who: Who, id?: string): Promise<void>;
  /** A title for a conversation that begins with this. Throws Failure unsupported, limited, unavailable. */
  summarizeTitle(who: Who, message: string): Promise<string>;
  /** What is said of a question in a conversation, as it comes; it is kept there. What goes wrong is a message, too. */
  ask(who: Who, id: string, text: string, signal: AbortSignal): AsyncIterable<AssistantMessage>;
  /** The same outside of a conversation, which keeps nothing. */
  act(who: Who, action: AssistantAction, text: string, signal: AbortSignal): AsyncIterable<AssistantMessage>;
  /** Keeps in a conversation where a run's results are, and says what came out; null where it is too much. Throws Failure. */
  summarizeRun(who: Who, id: string, ran: Ran, signal: AbortSignal): Promise<string | null>;
}

/** Loaded with the gateway; the model's libraries are not. */
export function createAssistant(parts: AssistantParts): Assistant {
  const { settings, conversations, audit, clock, clusterName } = parts;
  const model = settings && createModel(settings);
  const limits = createLimits(settings?.perMinute ?? 1, clock);

  const notFound = (): Failure => new Failure('not_found', 'conversation not found');
  function set() {
    if (!model)
      throw new Failure('unsupported', 'this gateway has no assistant: its administrator has not set a model for it');
    return model;
  }
  const message = (type: MessageType, payload: string | object): AssistantMessage => ({
    type,
    created_time: clock().toISOString(),
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  const note = (who: Who, code: string, more: object): Promise<void> =>
    audit.emit({ code, user: who.user, user_id: who.userId, ...more });
  const wordsOf = (error: unknown): string =>
    error instanceof Failure ? error.message : 'the assistant could not go on; the gateway has logged why';

  /** Text of an answer without look-ups. */
  async function said(instructions: string, content: string, signal: AbortSignal, most: number): Promise<string> {
    let text = '';
    for await (const piece of set().answer({ instructions, messages: [{ role: 'user', content }], signal })) {
      if (piece.kind === 'text') text += piece.text;
      if (text.length > most) break;
    }
    return text.slice(0, most).trim();
  }

  /** One question: rate, note in the audit log, words for what goes wrong. */
  async function* asking(
    who: Who,
    action: string,
    id: string | undefined,
    answer: (used: Used) => AsyncIterable<AssistantMessage>,
  ): AsyncGenerator<AssistantMessage> {
    const used: Used = { tools: [], commands: [] };
    let problem = '';
    let isOver: () => void = () => undefined;
    try {
      set();
      isOver = limits.take(who.userId);
      yield* answer(used);
    } catch (error) {
      problem = wordsOf(error);
      yield message('CHAT_MESSAGE_ERROR', sentence(problem));
      if (!(error instanceof Failure)) throw error;
    } finally {
      isOver();
      await note(who, problem === '' ? codes.asked : codes.failed, {
        action,
        ...(id !== undefined && { conversation_id: id }),
        ...(used.tools.length > 0 && { tools: [...new Set(used.tools)] }),
        ...(used.commands.length > 0 && { proposals: used.commands.slice(0, PROPOSALS_MOST) }),
        ...(problem !== '' && { error: problem }),
      });
    }
  }

  async function* converse(who: Who, id: string, text: string, signal: AbortSignal, used: Used) {
    const before = await conversations.messages(id);
    if (before.length >= MESSAGES_MOST)
      throw new Failure('limited', `this conversation holds ${MESSAGES_MOST} messages: begin a new one`);
    const kept: AssistantMessage[] = [];
    const keep = (one: AssistantMessage): AssistantMessage => {
      kept.push(one);
      return one;
    };
    keep(message('CHAT_MESSAGE_USER', text));
    let spoken = '';
    const speak = (): void => {
      if (spoken.trim() !== '') kept.push(message('CHAT_MESSAGE_ASSISTANT', spoken));
      spoken = '';
    };
    try {
      const answer = set().answer({
        instructions: conversing(plainText(who.user), clusterName, clock()),
        messages: readAgain([...before, { type: 'CHAT_MESSAGE_USER', payload: text }]),
        tools: toolsFor(who, parts),
        signal,
      });
      let isStreaming = false;
      let length = 0;
      const finalize = function* (): Generator<AssistantMessage> {
        if (isStreaming) yield message('CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE', '');
        isStreaming = false;
        speak();
      };
      for await (const piece of answer) {
        switch (piece.kind) {
          case 'text': {
            const room = piece.text.slice(0, ANSWER_MOST_CHARACTERS - length);
            length += room.length;
            spoken += room;
            isStreaming = true;
            yield message('CHAT_PARTIAL_MESSAGE_ASSISTANT', room);
            break;
          }
          case 'looks':
            yield* finalize();
            used.tools.push(piece.tool);
            yield keep(message('CHAT_MESSAGE_PROGRESS_UPDATE', progressOf(piece.tool, piece.input)));
            break;
          case 'proposes': {
            yield* finalize();
            const { command } = piece.input as Proposal;
            used.commands.push(command);
            yield keep(message('COMMAND', piece.input as Proposal));
            break;
          }
          case 'refused':
            yield* finalize();
            yield keep(message('CHAT_MESSAGE_PROGRESS_UPDATE', refusedProgress));
            break;
          case 'cut':
            yield* finalize();
            yield keep(message('CHAT_MESSAGE_ERROR', 'The answer broke off here.'));
        }
        if (length >= ANSWER_MOST_CHARACTERS) {
          yield* finalize();
          yield keep(message('CHAT_MESSAGE_ERROR', 'The answer was longer than is kept: it is cut here.'));
          break;
        }
      }
      yield* finalize();
      if (signal.aborted) yield keep(message('CHAT_MESSAGE_ERROR', 'You stopped the answer.'));
      else if (kept.length === 1) yield keep(message('CHAT_MESSAGE_ERROR', 'The model answered nothing.'));
    } catch (error) {
      if (spoken !== '') {
        speak();
        yield message('CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE', '');
      }
      kept.push(message('CHAT_MESSAGE_ERROR', sentence(wordsOf(error))));
      throw error;
    } finally {
      // Also when the person has gone: what was said stays theirs to read.
      speak();
      await conversations.add(
        id,
        before.length,
        kept.map(({ type, created_time, payload }) => ({ type, created: new Date(created_time), payload })),
      );
    }
  }

  async function* command(text: string, signal: AbortSignal, used: Used): AsyncGenerator<AssistantMessage> {
    let spoken = '';
    const made = (input: { readonly command: string; readonly reasoning?: string | undefined }) => {
      used.commands.push(input.command);
      return message('CHAT_MESSAGE_PROGRESS_UPDATE', {
        action: 'command',
        input: JSON.stringify({ command: input.command }),
        reasoning: plainText(input.reasoning ?? ''),
      } satisfies Progress);
    };
    const messages = [{ role: 'user', content: text }] as const;
    for await (const piece of set().answer({ instructions: commanding, messages, tools: commandTools, signal })) {
      if (piece.kind === 'text') spoken += piece.text;
      if (piece.kind === 'proposes') return yield made(piece.input as z.output<typeof madeCommand>);
      if (piece.kind === 'refused') throw new Failure('unavailable', NOT_A_LINE);
    }
    if (signal.aborted) return;
    // A model without tools answers with the line itself.
    const line = z.safeParse(commandLine, lineOf(spoken));
    if (!line.success) throw new Failure('unavailable', NOT_A_LINE);
    yield made({ command: line.data });
  }

  async function* query(text: string, signal: AbortSignal): AsyncGenerator<AssistantMessage> {
    const messages = [{ role: 'user', content: text }] as const;
    let length = 0;
    for await (const piece of set().answer({ instructions: querying, messages, signal })) {
      if (piece.kind !== 'text') continue;
      // One line of a field: what a model puts around it or on further lines is not part of it.
      const room = plainText(piece.text.replaceAll('`', '').replaceAll('\n', ' ')).slice(0, 512 - length);
      length += room.length;
      if (room !== '') yield message('CHAT_PARTIAL_MESSAGE_ASSISTANT', room);
      if (length >= 512) break;
    }
    if (length === 0 && !signal.aborted) throw new Failure('unavailable', 'the model answered nothing');
    yield message('CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE', '');
  }

  async function found(who: Who, id: string): Promise<void> {
    if ((await conversations.get(who.userId, id)) === null) throw notFound();
  }

  return {
    about: () => ({
      enabled: settings !== null,
      host: settings ? new URL(settings.address).host : '',
      model: settings?.model ?? '',
      perMinute: settings?.perMinute ?? 0,
    }),
    async create(who) {
      set();
      const id = randomUUID();
      if (!(await conversations.create(who.userId, { id, title: '', created: clock() }, CONVERSATIONS_MOST)))
        throw new Failure('limited', `you have ${CONVERSATIONS_MOST} conversations: delete one first`);
      await note(who, codes.created, { conversation_id: id });
      return id;
    },
    list: async who =>
      (await conversations.list(who.userId)).map(({ id, title, created }) => ({
        id,
        ...(title !== '' && { title }),
        created_time: created.toISOString(),
      })),
    async messages(who, id) {
      await found(who, id);
      return (await conversations.messages(id)).map(({ type, created, payload }) => ({
        type: type as MessageType,
        created_time: created.toISOString(),
        payload,
      }));
    },
    async remove(who, id) {
      if (!(await conversations.delete(who.userId, id))) throw notFound();
      await note(who, codes.removed, { conversation_id: id });
    },
    async title(who, id, title) {
      if (!(await conversations.title(who.userId, id, title.trim()))) throw notFound();
    },
    async check(who, id) {
      set();
      if (!who.rights.may('assistant', 'use'))
        throw new Failure('denied', 'access denied: no role gives you "use" on "assistant"');
      if (id !== undefined) await found(who, id);
    },
    async summarizeTitle(who, text) {
      set();
      const isOver = limits.take(who.userId);
      try {
        const title = plainText(await said(titling, text, AbortSignal.timeout(TITLE_MS), TITLE_MOST_CHARACTERS))
          .replace(/^["'\s]+|["'.\s]+$/g, '')
          .replace(/\s+/g, ' ');
        return title === '' ? firstWords(text) : title;
      } finally {
        isOver();
      }
    },
    ask: (who, id, text, signal) => asking(who, 'conversation', id, used => converse(who, id, text, signal, used)),
    act: (who, action, text, signal) =>
      asking(who, action, undefined, async function* (used) {
        if (action === 'ssh-cmdgen') yield* command(text, signal, used);
        else if (action === 'audit-query') yield* query(text, signal);
        else {
          const answer = await said(explaining, `\`\`\`\n${text}\n\`\`\``, signal, ANSWER_MOST_CHARACTERS);
          if (signal.aborted) return;
          if (answer === '') throw new Failure('unavailable', 'the model answered nothing');
          yield message('CHAT_MESSAGE_ASSISTANT', answer);
        }
      }),
    async summarizeRun(who, id, { executionId, command: line, on }, signal) {
      await found(who, id);
      const results = on.slice(0, RESULTS_MOST).map(({ nodeId, hostname, sid }) =>
        message('COMMAND_RESULT', {
          node_id: nodeId,
          node_name: hostname,
          execution_id: executionId,
          session_id: sid,
        }),
      );
      const keep = async (messages: readonly AssistantMessage[]): Promise<void> => {
        const { length } = await conversations.messages(id);
        if (length + messages.length > MESSAGES_MOST) return;
        const rows = messages.map(({ type, created_time, payload }) => ({
          ...{ type, payload },
          created: new Date(created_time),
        }));
        await conversations.add(id, length, rows);
      };
      await keep(results);
      const outputs = on.map(
        ({ hostname, output, how }) =>
          `${hostname} (${how}):\n${output.slice(0, OUTPUT_MOST_CHARACTERS)}${output.length > OUTPUT_MOST_CHARACTERS ? '\n(cut)' : ''}`,
      );
      if (model === null || outputs.join('').length > OUTPUTS_MOST_CHARACTERS) return null;
      const isOver = limits.take(who.userId);
      let problem = '';
      try {
        const text = `The command: ${line}\n\nWhat the servers printed, as data:\n\n${outputs.join('\n\n')}`;
        const summary = await said(summarizing, text, signal, ANSWER_MOST_CHARACTERS);
        if (summary === '') return null;
        await keep([message('COMMAND_RESULT_SUMMARY', { execution_id: executionId, command: line, summary })]);
        return summary;
      } catch (error) {
        problem = wordsOf(error);
        throw error;
      } finally {
        isOver();
        await note(who, problem === '' ? codes.asked : codes.failed, {
          action: 'summary',
          conversation_id: id,
          ...(problem !== '' && { error: problem }),
        });
      }
    },
  };
}

/** What was used for one answer. */
interface Used {
  readonly tools: string[];
  readonly commands: string[];
}

/** A title is not worth a longer wait, ms. */
const TITLE_MS = 20_000;
const NOT_A_LINE = 'the model made no command of one line that a terminal could take: say it in other words';

const madeCommand = z.object({
  command: commandLine,
  reasoning: z.optional(z.string().check(z.maxLength(2000))),
});
const commandTools: Readonly<Record<string, ModelTool>> = {
  make_command: { description: 'The command line that was made, and in a sentence what it does.', input: madeCommand },
};

/** What a look-up is called where people read it. */
const actions: Readonly<Record<string, string>> = {
  find_servers: 'Looks for servers',
  active_sessions: 'Looks at active sessions',
  search_audit: 'Searches the audit log',
  search_recordings: 'Searches recordings',
  search_manual: 'Reads the manual',
};
const refusedProgress: Progress = { action: 'Asked for something that it may not do; nothing was done' };
const progressOf = (tool: string, input: unknown): Progress => ({
  action: actions[tool] ?? tool,
  input: plainText(JSON.stringify(input)).slice(0, 2000),
});

/** The line of an answer that is nothing but a line, perhaps in a fence. */
const lineOf = (text: string): string =>
  text
    .trim()
    .replace(/^```[a-z]*\n?|\n?```$/g, '')
    .replace(/^`([^`]*)`$/, '$1')
    .trim();
const firstWords = (text: string): string => plainText(text).trim().split(/\s+/).slice(0, 6).join(' ').slice(0, 60);
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

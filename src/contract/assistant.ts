// The assistant: conversations of one's own, what stands in them, and the frames of its socket (contract: api 7, websockets 3).
// Never imported by the first page.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { labelName, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

/** Path of the socket; `access_token` and either `conversation_id` or `action` are its query. */
export const assistantPath = '/v1/webapi/sites/:clusterId/assistant';

/** Conversations of one person, at most: one more is refused until one is deleted. */
export const CONVERSATIONS_MOST = 100;
/** Messages of one conversation, at most. */
export const MESSAGES_MOST = 500;
/** Longest message that a person writes, characters. */
export const ASKED_MOST_CHARACTERS = 8000;
/** Longest answer that is kept, characters: what goes on is cut there. */
export const ANSWER_MOST_CHARACTERS = 32_000;
/** Longest title, characters. */
export const TITLE_MOST_CHARACTERS = 100;
/** Longest command that is proposed, characters: one line. */
export const PROPOSED_MOST_CHARACTERS = 2000;
/** Servers and labels that a proposal names, at most. */
export const PROPOSED_SERVERS_MOST = 50;

/** What stands in a conversation, and what the socket sends. */
export const messageTypes = [
  'CHAT_MESSAGE_USER',
  'CHAT_MESSAGE_ASSISTANT',
  'CHAT_MESSAGE_SYSTEM',
  'CHAT_MESSAGE_ERROR',
  'CHAT_MESSAGE_PROGRESS_UPDATE',
  'CHAT_PARTIAL_MESSAGE_ASSISTANT',
  'CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE',
  'COMMAND',
  'COMMAND_RESULT',
  'COMMAND_RESULT_SUMMARY',
] as const;
export type MessageType = (typeof messageTypes)[number];

/** Ours: payload of the CHAT_MESSAGE_SYSTEM behind everything that a question was answered with; others do not show it. */
export const ANSWER_OVER = 'over';

export const assistantMessage = z.object({
  /** Only on the socket, in conversations. */
  conversation_id: z.optional(z.string()),
  type: z.enum(messageTypes),
  created_time: time,
  /** Text, or JSON by type. */
  payload: z.string(),
});
export type AssistantMessage = z.infer<typeof assistantMessage>;

/** Payload of CHAT_MESSAGE_PROGRESS_UPDATE: what the assistant looks up, or what it made for the terminal. */
export const progress = z.object({
  action: z.string(),
  input: z.optional(z.string()),
  reasoning: z.optional(z.string()),
});
export type Progress = z.infer<typeof progress>;

/** One line that a terminal takes: nothing in it is obeyed, and nothing in it is Enter. */
export const commandLine = z
  .string()
  .check(
    z.regex(/\S/, 'give the command'),
    z.maxLength(PROPOSED_MOST_CHARACTERS, `at most ${PROPOSED_MOST_CHARACTERS} characters`),
    visible,
  );
/** Payload of COMMAND: a proposal, which a person may change, run or leave. */
export const proposal = z.object({
  command: commandLine,
  nodes: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(255), visible)).check(z.maxLength(PROPOSED_SERVERS_MOST)),
  ),
  labels: z.optional(
    z
      .array(z.object({ key: labelName, value: z.string().check(z.maxLength(1024), visible) }))
      .check(z.maxLength(PROPOSED_SERVERS_MOST)),
  ),
});
export type Proposal = z.infer<typeof proposal>;

/** Payload of COMMAND_RESULT: where what one server printed is read, which is the recording of `session_id`. */
export const commandResult = z.object({
  node_id: z.string(),
  node_name: z.string(),
  execution_id: z.string(),
  session_id: z.string(),
});
/** Payload of COMMAND_RESULT_SUMMARY. */
export const commandSummary = z.object({ execution_id: z.string(), command: z.string(), summary: z.string() });

/** What a client sends in a conversation. `cancel` is ours: it stops the answer that is being given. */
export const askedFrame = z.object({
  payload: z._default(
    z.string().check(z.maxLength(ASKED_MOST_CHARACTERS, `at most ${ASKED_MOST_CHARACTERS} characters`)),
    '',
  ),
  cancel: z._default(z.boolean(), false),
});

/** What the socket does outside of a conversation. */
export const assistantActions = ['ssh-cmdgen', 'ssh-explain', 'audit-query'] as const;
export type AssistantAction = (typeof assistantActions)[number];

const conversationId = z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'the id of a conversation'));
const one = z.object({ id: conversationId });
export const conversation = z.object({ id: z.string(), title: z.optional(z.string()), created_time: time });
export type Conversation = z.infer<typeof conversation>;

export const createConversation = call('POST', 'assistant/conversations', {
  summary: 'Begin a conversation with the assistant.',
  access: { resource: 'assistant', verb: 'create' },
  reply: z.object({ id: z.string() }),
});
export const listConversations = call('GET', 'assistant/conversations', {
  summary: "One's own conversations, the newest first.",
  access: { resource: 'assistant', verb: 'list' },
  reply: z.object({ conversations: z.array(conversation) }),
});
export const getConversation = call('GET', 'assistant/conversations/:id', {
  summary: "What stands in a conversation of one's own, the oldest first.",
  access: { resource: 'assistant', verb: 'read' },
  params: one,
  reply: z.object({ messages: z.array(assistantMessage) }),
});
export const deleteConversation = call('DELETE', 'assistant/conversations/:id', {
  summary: "Delete a conversation of one's own.",
  access: { resource: 'assistant', verb: 'delete' },
  params: one,
  reply: ok,
});
export const titleConversation = call('POST', 'assistant/conversations/:id/title', {
  summary: "Give a conversation of one's own a title.",
  access: { resource: 'assistant', verb: 'update' },
  params: one,
  body: z.object({
    title: z
      .string()
      .check(
        z.regex(/\S/, 'give the title'),
        z.maxLength(TITLE_MOST_CHARACTERS, `at most ${TITLE_MOST_CHARACTERS} characters`),
        visible,
      ),
  }),
  reply: ok,
});
export const summarizeTitle = call('POST', 'assistant/title/summary', {
  summary: 'Have the assistant find a title for what was asked.',
  access: { resource: 'assistant', verb: 'use' },
  body: z.object({ message: z.string().check(z.regex(/\S/, 'give the message'), z.maxLength(ASKED_MOST_CHARACTERS)) }),
  reply: z.object({ id: z.optional(z.string()), title: z.string(), created_time: z.optional(time) }),
});
/** Ours: whether it is set, and where what is written to it goes. */
export const getAssistant = call('GET', 'assistant', {
  summary: 'Whether the assistant is set, and where what is written to it goes.',
  access: { resource: 'assistant', verb: 'list' },
  reply: z.object({
    enabled: z.boolean(),
    /** Host of the model's address; '' = none is set. */
    host: z.string(),
    model: z.string(),
    /** Questions of one person in a minute. */
    perMinute: z.number(),
  }),
});

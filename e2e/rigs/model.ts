// A double of the chat endpoint of OpenAI-compatible servers, by its published contract (POST …/chat/completions, server-sent events with
// `data:` lines and [DONE], tool calls in pieces, 401 and 429 with their bodies). Its answers follow rules, not a model, and it is gullible:
// whatever asks it for a tool call in the words `CALL name {json}` gets it, also from what a tool has answered.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const MODEL_KEY = 'test-key-never-shown';

interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[] | null;
}
interface ModelAsked {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}
/** What happens to the next answers instead of being given: a status, an end in the middle of a text or of a tool call, nothing at all. */
export type Trouble =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'cut' | 'ends'; readonly afterPieces: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'endless' };

export interface ModelDouble {
  /** Address of its API, with /v1. */
  readonly url: string;
  /** What it was asked, in order. */
  readonly asked: ModelAsked[];
  /** Answers that were given up by whoever asked. */
  readonly left: () => number;
  trouble(what: Trouble, times?: number): void;
  /** What it says or calls next, in place of its rules; nothing: its rules again. */
  say(...answers: readonly string[]): void;
  /** Waits so long between pieces, ms. */
  slow(ms: number): void;
  dispose(): Promise<void>;
}

const textOf = ({ content }: ChatMessage): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');

/** `CALL name {json}` anywhere in a text. */
const CALL = /CALL (\w+) (\{[^\n]*?\})(?=\s|$|\\n|"|…)/;

function answerTo({ messages, tools = [] }: ModelAsked): string {
  const last = messages.at(-1);
  const text = last ? textOf(last) : '';
  const has = (name: string): boolean => tools.some(tool => tool.function.name === name);
  const called = CALL.exec(text.replaceAll('\\"', '"'));
  if (called) return `CALL ${called[1]} ${called[2]}`;
  if (last?.role === 'tool') return `I looked. ${text.slice(0, 300)}`;
  const asks = /disk/i.test(text);
  if (has('make_command')) return 'CALL make_command {"command":"df -h /","reasoning":"Shows how full the disk is."}';
  if (asks && has('propose_command'))
    return 'CALL propose_command {"command":"df -h /","labels":[{"key":"env","value":"prod"}]}';
  if (/which servers/i.test(text) && has('find_servers')) return 'CALL find_servers {"words":"prod"}';
  if (/who is/i.test(text) && has('active_sessions')) return 'CALL active_sessions {}';
  if (/signed in/i.test(text) && has('search_audit')) return 'CALL search_audit {"types":["user.login"]}';
  if (/printed/i.test(text) && has('search_recordings')) return 'CALL search_recordings {"text":"secret"}';
  if (/manual/i.test(text) && has('search_manual')) return 'CALL search_manual {"words":"lock"}';
  const [system] = messages;
  if (system && /searches an audit log/.test(textOf(system))) return 'type:user.login user:bob since:yesterday';
  if (system && /Give a title/.test(textOf(system))) return 'A question about servers';
  if (system && /Several servers have run/.test(textOf(system))) return 'All of them have **room** on the disk.';
  if (system && /Explain what stands/.test(textOf(system))) return 'The disk is *full*.';
  return 'Hello, **ask me** about your servers.';
}

/** You must dispose it. */
export async function openModel(): Promise<ModelDouble> {
  const asked: ModelAsked[] = [];
  const troubles: Trouble[] = [];
  const says: string[] = [];
  let left = 0;
  let pause = 0;
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const json = (status: number, value: object, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${MODEL_KEY}`)
      return void json(401, {
        error: { message: `Incorrect API key provided: ${request.headers.authorization}`, code: 'invalid_api_key' },
      });
    if (!request.url?.endsWith('/chat/completions')) return void json(404, { error: { message: 'not found' } });
    const question = JSON.parse(body) as ModelAsked;
    asked.push(question);
    // Titles are asked for beside the question: they take nobody's answer.
    const isTitle = /Give a title/.test(question.messages[0] ? textOf(question.messages[0]) : '');
    const trouble = isTitle ? undefined : troubles.shift();
    if (trouble?.kind === 'status')
      return void json(trouble.status, { error: { message: 'Rate limit reached' } }, trouble.headers);
    if (trouble?.kind === 'silent') return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (trouble?.kind === 'garbage') return void response.end('data: {"choices": [}\n\ndata: nothing\n\n');
    const pieces = [...piecesOf((isTitle ? undefined : says.shift()) ?? answerTo(question), question.model)];
    let isGone = false;
    const gone = once(response, 'close');
    response.on('close', () => {
      if (!response.writableFinished && !isGone) left++;
      isGone = true;
    });
    for (const [at, piece] of pieces.entries()) {
      if (isGone) return;
      if ((trouble?.kind === 'cut' || trouble?.kind === 'ends') && at >= trouble.afterPieces) {
        isGone = true;
        return void (trouble.kind === 'cut' ? response.destroy() : response.end());
      }
      response.write(piece);
      await new Promise(resolve => setTimeout(resolve, pause));
    }
    while (trouble?.kind === 'endless' && !isGone) {
      const isTaken = response.write(chunkOf(question.model, { content: 'on and on '.repeat(2000) }));
      if (!isTaken) await Promise.race([once(response, 'drain'), gone]);
    }
    if (!isGone) response.end('data: [DONE]\n\n');
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    left: () => left,
    trouble: (what, times = 1) => void troubles.push(...Array.from({ length: times }, () => what)),
    say: (...answers) => void says.splice(0, says.length, ...answers),
    slow: ms => {
      pause = ms;
    },
    dispose: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const chunkOf = (model: string, delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model },
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

/** The events of an answer: text by words, a tool call with its arguments in pieces of seven characters. */
function* piecesOf(answer: string, model: string): Generator<string> {
  yield chunkOf(model, { role: 'assistant', content: '' });
  const [, name, args = ''] = /^CALL (\w+) (.*)$/s.exec(answer) ?? [];
  if (name === undefined) {
    for (const word of answer.split(/(?<= )/)) yield chunkOf(model, { content: word });
    yield chunkOf(model, {}, 'stop');
    return;
  }
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: '' } };
  yield chunkOf(model, { tool_calls: [call] });
  for (const piece of args.match(/.{1,7}/gs) ?? [])
    yield chunkOf(model, { tool_calls: [{ index: 0, function: { arguments: piece } }] });
  yield chunkOf(model, {}, 'tool_calls');
}

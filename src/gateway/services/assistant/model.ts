// The model behind the assistant: the only file that knows the libraries, which are loaded at its first use, and the only one that sends
// anything to the configured address. Whatever goes wrong there is a Failure in words, without a byte of what the address said.
import type { ToolSet } from 'ai';
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';

/** Nothing heard for so long, ms: the answer is given up. */
const SILENT_MS = 60_000;
/** Bytes that one answer may take on the wire, look-ups included. */
const HEARD_MOST_BYTES = 8 * 1024 * 1024;
/** Rounds of looking something up before an answer. */
const STEPS_MOST = 6;
/** Tokens of one round. */
const TOKENS_MOST = 4096;

/** Something that the model may ask for. Without `run` it is a proposal: all that happens is that a person sees it. */
export interface ModelTool {
  readonly description: string;
  readonly input: z.ZodMiniType;
  /** Answers what the model reads. Never rejects. */
  readonly run?: (input: unknown) => Promise<string>;
}
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
interface ModelQuestion {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: Readonly<Record<string, ModelTool>>;
  readonly signal: AbortSignal;
}
type ModelPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** It looks something up; the input fits the tool. */
  | { readonly kind: 'looks'; readonly tool: string; readonly input: unknown }
  /** It proposes; the input fits the tool. */
  | { readonly kind: 'proposes'; readonly tool: string; readonly input: unknown }
  /** It asked for what there is not, or with what is not allowed: nothing was done. */
  | { readonly kind: 'refused'; readonly tool: string }
  /** What it says is at its end before it had ended. */
  | { readonly kind: 'cut' };

export interface Model {
  /** Rejects with Failure; ends early, without one, when `signal` is aborted. */
  answer(question: ModelQuestion): AsyncIterable<ModelPiece>;
}
export interface ModelParts {
  readonly address: string;
  readonly model: string;
  readonly key: string | null;
  readonly silentMs?: number;
  /** Times that a failed request is made again. */
  readonly retries?: number;
}

export function createModel({ address, model, key, silentMs = SILENT_MS, retries = 1 }: ModelParts): Model {
  return {
    async *answer({ instructions, messages, tools = {}, signal }) {
      const [{ APICallError, RetryError, isStepCount, jsonSchema, streamText, tool }, { createOpenAICompatible }] =
        await load();
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), silentMs);
      const heard = boundedFetch();
      const provider = createOpenAICompatible({
        name: 'assistant',
        baseURL: address,
        ...(key !== null && { apiKey: key }),
        fetch: heard.fetch,
      });
      const given = Object.entries(tools).map(([name, { description, input, run }]) => {
        const inputSchema = jsonSchema<unknown>(z.toJSONSchema(input) as Parameters<typeof jsonSchema>[0], {
          validate(value) {
            const read = z.safeParse(input, value);
            return read.success
              ? { success: true, value: read.data }
              : { success: false, error: new Error(read.error.issues[0]?.message ?? 'not allowed') };
          },
        });
        return [
          name,
          run ? tool({ description, inputSchema, execute: run }) : tool({ description, inputSchema }),
        ] as const;
      });
      const failed = (error: unknown): Failure => {
        if (silence.signal.aborted)
          return new Failure('unavailable', `the assistant's model said nothing for ${silentMs / 1000} s`);
        if (heard.isOver())
          return new Failure('unavailable', "the assistant's model said more than an answer may hold");
        const last = RetryError.isInstance(error) ? error.lastError : error;
        return failureOf(APICallError.isInstance(last) ? last.statusCode : undefined);
      };
      try {
        const { fullStream } = streamText({
          model: provider(model),
          instructions,
          messages: messages.map(one => ({ ...one })),
          tools: Object.fromEntries(given) as unknown as ToolSet,
          stopWhen: isStepCount(STEPS_MOST),
          maxOutputTokens: TOKENS_MOST,
          maxRetries: retries,
          abortSignal: AbortSignal.any([signal, silence.signal]),
          // It would print them otherwise; they come in the stream as well.
          onError: () => undefined,
        });
        let reason: string | undefined;
        // What is proposed by an answer that then breaks off may have been meant otherwise.
        const proposals: Extract<ModelPiece, { kind: 'proposes' }>[] = [];
        for await (const part of fullStream) {
          timer.refresh();
          if (signal.aborted) return;
          switch (part.type) {
            case 'text-delta':
              yield { kind: 'text', text: part.text };
              break;
            case 'tool-call':
              if (part.invalid === true || !Object.hasOwn(tools, part.toolName))
                yield { kind: 'refused', tool: part.toolName };
              else if (tools[part.toolName]?.run)
                yield { kind: 'looks', tool: part.toolName, input: part.input as unknown };
              else proposals.push({ kind: 'proposes', tool: part.toolName, input: part.input as unknown });
              break;
            case 'finish':
              reason = part.rawFinishReason;
              break;
            case 'error':
              throw failed(part.error);
            case 'abort':
              if (silence.signal.aborted) throw failed(null);
              return;
          }
        }
        if (reason === undefined || reason === 'length') yield { kind: 'cut' };
        else yield* proposals;
      } catch (error) {
        if (signal.aborted) return;
        throw error instanceof Failure ? error : failed(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function load() {
  // Its advice is for whoever writes programs with it.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')]);
}

/** What is written goes to the configured address and nowhere else, and what comes back is bounded. */
function boundedFetch(): { readonly fetch: typeof fetch; readonly isOver: () => boolean } {
  let left = HEARD_MOST_BYTES;
  return {
    isOver: () => left < 0,
    async fetch(input, init) {
      const answer = await fetch(input, { ...init, redirect: 'error' });
      const counted = answer.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            left -= chunk.length;
            if (left < 0) controller.error(new Error('too much'));
            else controller.enqueue(chunk);
          },
        }),
      );
      return new Response(counted ?? null, answer);
    },
  };
}

/** What people are told of an answer with this status; none: there was no answer. */
function failureOf(status: number | undefined): Failure {
  // A status that is well belongs to an answer that was cut.
  if (status === undefined || status < 300)
    return new Failure('unavailable', "the assistant's model cannot be reached, or broke off");
  if (status === 429) return new Failure('limited', "the assistant's model has too much to do: ask again later");
  if (status === 401 || status === 403)
    return new Failure('unavailable', "the assistant's model refused the gateway's key: tell your administrator");
  if (status === 404)
    return new Failure('unavailable', "there is no such model at the assistant's address: tell your administrator");
  if (status === 413 || status === 400)
    return new Failure('unavailable', `the assistant's model did not take the question (status ${status})`);
  return new Failure('unavailable', `the assistant's model failed (status ${status}): ask again later`);
}

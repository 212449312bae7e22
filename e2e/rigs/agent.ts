// An agent as programs are: the MCP SDK's own client, over HTTP or over the standard streams of `postern mcp`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

interface ToolAnswer {
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}
export interface AgentClient {
  readonly client: Client;
  tools(): Promise<readonly string[]>;
  /** `waits` hears what the gateway says meanwhile. */
  use(
    name: string,
    given: Readonly<Record<string, unknown>>,
    how?: { readonly signal?: AbortSignal; waits?(text: string): void },
  ): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** What a call may take, ms: one that waits for a person is told so again and again. */
const CALL_MS = 60_000;

async function opened(transport: Parameters<Client['connect']>[0]): Promise<AgentClient> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async use(name, given, how = {}) {
      const answer = await client.callTool({ name, arguments: { reason: 'a test needs it', ...given } }, undefined, {
        timeout: CALL_MS,
        resetTimeoutOnProgress: true,
        ...(how.signal && { signal: how.signal }),
        onprogress: ({ message = '' }) => how.waits?.(message),
      });
      const [first] = answer.content as { text: string }[];
      return {
        text: first?.text ?? '',
        facts: (answer.structuredContent ?? {}) as Readonly<Record<string, unknown>>,
        isError: answer.isError === true,
      };
    },
    close: () => client.close(),
  };
}

/** Connects to the gateway itself. Rejects for a token that it does not know. */
export const connectAgent = (url: string, token: string): Promise<AgentClient> =>
  opened(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }) as Parameters<Client['connect']>[0],
  );

/** Runs a program that speaks MCP over its standard streams. */
export const runAgent = (command: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  opened(new StdioClientTransport({ command, args: [...args], env: { ...env }, stderr: 'inherit' }));

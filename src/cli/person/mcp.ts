// `postern mcp`: an agent's program on this machine speaks MCP over standard input and output; this passes it on to the gateway, with the agent's
// token, which never stands in a line of a shell or in an address.
import { readFileSync } from 'node:fs';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AGENTS_PATH } from '../../contract/agents.ts';
import { SESSION_FLAG } from '../read.ts';
import { Refused, type Typed, UsageError, type Verb } from '../verb.ts';
import { readUrl } from './http.ts';
import { readSession, sessionOf } from './session-file.ts';

const TOKEN_VARIABLE = 'POSTERN_AGENT_TOKEN';
/** Longest token, characters. */
const TOKEN_MOST_CHARACTERS = 200;

export const mcpVerb: Verb = {
  verb: 'mcp',
  words: [],
  help: `Passes an agent's MCP over standard input and output on to the gateway; its token is in ${TOKEN_VARIABLE} or a file`,
  flags: [
    { name: '--url', argument: 'URL', help: 'The gateway; without it, that of the session here' },
    { name: '--token-file', argument: 'FILE', help: "Its first line is the agent's token" },
    SESSION_FLAG,
  ],
  run: async typed => passOn(addressOf(typed), tokenOf(typed)),
};

function addressOf(typed: Typed): string {
  const given = typed.one('--url');
  if (given !== undefined) return readUrl(given);
  const session = readSession(sessionOf(typed));
  if (session === null) throw new UsageError('mcp: --url: the address of the gateway expected');
  return session.url;
}
function tokenOf(typed: Typed): string {
  const file = typed.one('--token-file');
  const text = file === undefined ? process.env[TOKEN_VARIABLE] : readFileSync(file, 'utf8').split('\n', 1)[0];
  const token = (text ?? '').trim();
  if (token === '' || token.length > TOKEN_MOST_CHARACTERS)
    throw new UsageError(`mcp: the agent's token expected in ${TOKEN_VARIABLE} or --token-file`);
  return token;
}

/** Until the agent's program closes its end. */
async function passOn(url: string, token: string): Promise<number> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const here = new StdioServerTransport();
  const there = new StreamableHTTPClientTransport(new URL(AGENTS_PATH, url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const over = Promise.withResolvers<number>();
  here.onmessage = message => {
    there.send(message).catch((error: unknown) => {
      const text = sentenceOf(error);
      // Whoever asks is told; what asks nothing has nobody to tell.
      if ('id' in message && 'method' in message)
        void here.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text } });
      // The token opens nothing: nothing more will come of it.
      if (/\b401\b/.test(text)) over.reject(new Refused(text));
    });
  };
  there.onmessage = (message: JSONRPCMessage) => {
    // From the first answer on, each request says which version of the protocol it is.
    if ('result' in message && typeof message.result.protocolVersion === 'string')
      there.setProtocolVersion(message.result.protocolVersion);
    void here.send(message);
  };
  process.stdin.once('end', () => over.resolve(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => over.resolve(0));
  await there.start();
  await here.start();
  try {
    return await over.promise;
  } finally {
    // What it runs ends with it.
    await there.terminateSession().catch(() => undefined);
    await there.close();
    await here.close();
  }
}

/** The gateway's own sentence, where its answer has one. */
function sentenceOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [, said] = /"message":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return said === undefined ? text : `${JSON.parse(`"${said}"`)}${/\b401\b/.test(text) ? ' (401)' : ''}`;
}

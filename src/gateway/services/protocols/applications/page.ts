// What the gateway itself says on the host of an application: a sentence, on a page that runs and fetches nothing.
import type { ServerResponse } from 'node:http';

/** Answers, unless an answer has begun. */
export function pageOf(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return void response.destroy();
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Postern</title><main><h1>Postern</h1><p>${escaped(text)}</p></main></html>\n`;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  // What is left of a body that nobody reads would be taken for the next request.
  if (status >= 400) response.setHeader('connection', 'close');
  response.writeHead(status).end(body);
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, one => `&#${one.charCodeAt(0)};`);

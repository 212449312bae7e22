// Scripts by which machines join, and what those ask: text for a shell, without a session. The token in the path is what is shown.

import type { FastifyInstance } from 'fastify';
import { Failure, failures } from '../../contract/failure.ts';
import { joinScripts, type ScriptedRole } from '../../contract/join-tokens.ts';
import { configureScript, failingPowerShell, installScripts, scriptText } from '../services/discovery/scripts.ts';
import { failingScript, joinScript } from '../services/joining/scripts.ts';
import { createRateLimit } from './rate-limit.ts';
import { FORM_TYPE } from './serve.ts';
import type { Services } from './services.ts';

/** What a machine sends when it joins is this long at most, bytes. */
const FORM_MOST_BYTES = 32 * 1024;
const TEXT = 'text/plain; charset=utf-8';

export function serveScripts(app: FastifyInstance, services: Services): void {
  const { tokens, joining, config, clock } = services;
  const limit = createRateLimit(config.rateLimit, clock);
  const refuseTooMany = (ip: string): void => {
    const waitSeconds = limit.take(ip);
    if (waitSeconds > 0) throw new Failure('limited', `too many requests; try again in ${waitSeconds} s`);
  };
  for (const [role, file] of Object.entries(joinScripts) as [ScriptedRole, string][])
    app.get<{ Params: { token: string }; Querystring: Readonly<Record<string, unknown>> }>(
      `/scripts/:token/${file}`,
      async ({ params: { token }, query, ip }, reply) => {
        void reply.type(TEXT);
        // What is wrong is told by a script as well: nobody sees the status of an answer that goes into a shell.
        try {
          refuseTooMany(ip);
          const method = await tokens.offers(token, role);
          const { name, uri } = query;
          const words = role === 'App' ? { name: wordOf(name), uri: wordOf(uri) } : { name: '', uri: '' };
          return joinScript({ gateway: config.publicUrl, cluster: config.clusterName, token, role, method, ...words });
        } catch (error) {
          if (error instanceof Failure) return failingScript(error.message);
          throw error;
        }
      },
    );
  for (const name of installScripts)
    app.get(`/v1/webapi/scripts/desktop-access/${name}`, async (_request, reply) => {
      void reply.type(TEXT);
      return scriptText(name);
    });
  app.get<{ Params: { token: string } }>(
    '/v1/webapi/scripts/desktop-access/configure/:token/configure-ad.ps1',
    async ({ params: { token }, ip }, reply) => {
      void reply.type(TEXT);
      try {
        refuseTooMany(ip);
        await tokens.offers(token, 'WindowsDesktop');
        return configureScript({ cluster: config.clusterName });
      } catch (error) {
        if (error instanceof Failure) return failingPowerShell(error.message);
        throw error;
      }
    },
  );
  app.register(async room => {
    // Read otherwise than the forms of calls.
    room.removeContentTypeParser(FORM_TYPE);
    room.addContentTypeParser(
      FORM_TYPE,
      { parseAs: 'string', bodyLimit: FORM_MOST_BYTES },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    room.post<{ Params: { token: string } }>('/scripts/:token/challenge', async ({ params, ip }, reply) => {
      void reply.type(TEXT);
      try {
        refuseTooMany(ip);
        return `${await tokens.challenge(params.token)}\n`;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        void reply.code(failures[error.code].status);
        return `${error.message}\n`;
      }
    });
    room.post<{ Params: { token: string } }>('/scripts/:token/join', async ({ params, body, ip }, reply) => {
      void reply.type(TEXT);
      try {
        refuseTooMany(ip);
        // Either proves a machine whose token has no secret.
        const { idToken, awsRequest, ...form } = formOf(body);
        const shown = idToken || awsRequest;
        return await joining.join(shown ? `${params.token}.${shown}` : params.token, form);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        void reply.code(failures[error.code].status);
        return `${error.message}\n`;
      }
    });
  });
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2048) : '');
/** Text fields alone, whatever was sent. */
const formOf = (body: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(body ?? {}).filter((one): one is [string, string] => typeof one[1] === 'string'));

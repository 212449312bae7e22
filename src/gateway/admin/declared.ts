// Resources as YAML, for the command line: apply, list, show, remove.
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { AdminAnswers } from '../../contract/admin.ts';
import type { Core } from '../core.ts';
import { applyBody } from './calls.ts';
import { actor, read } from './request.ts';

/** Largest set of files, bytes. */
const FILES_MOST_BYTES = 16 * 1024 * 1024;

const kindAndName = z.object({ kind: z.string(), name: z.string() });

/** Registers `/resources…`. */
export function serveDeclared(app: FastifyInstance, { declared }: Pick<Core, 'declared'>): void {
  app.post('/resources', { bodyLimit: FILES_MOST_BYTES }, async (request): Promise<AdminAnswers['applied']> => {
    const { files, dryRun } = read(applyBody, request);
    return declared.apply(files, { by: actor(request).user, dryRun });
  });
  app.get('/resources', async (request): Promise<readonly AdminAnswers['declared'][]> => {
    const { kind } = z.parse(z.object({ kind: z.optional(z.string()) }), request.query);
    return declared.list(kind);
  });
  app.get('/resources/:kind/:name', async (request): Promise<AdminAnswers['document']> => {
    const { kind, name } = kindAndName.parse(request.params);
    return { content: await declared.get(kind, name) };
  });
  app.delete('/resources/:kind/:name', async request => {
    const { kind, name } = kindAndName.parse(request.params);
    const { force } = z.parse(z.object({ force: z.optional(z.literal('yes')) }), request.query);
    await declared.remove(kind, name, actor(request).user, force === 'yes');
    return { kind, name };
  });
}

// Files of servers over HTTP: their bytes are bodies, streamed both ways at the pace of the slower side.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../contract/failure.ts';
import {
  cancelTransfer,
  copyFile,
  downloadFile,
  getTransfer,
  listFiles,
  makeFolder,
  moveFile,
  proveTransfers,
  removeFile,
  uploadFile,
} from '../../contract/files.ts';
import { OK } from '../../contract/shapes.ts';
import type { FileRequest } from '../../contract/terminal.ts';
import { isOfVisitor, type Who } from '../ports/who.ts';
import type { FilesAsk } from '../services/sessions/files/connections.ts';
import type { FileAct } from '../services/sessions/files/scope.ts';
import type { Approval } from '../services/sessions/policy/policy.ts';
import { attachment } from './attachment.ts';
import { askLeaf, otherCluster } from './leaf.ts';
import { createServe, type Serve } from './serve.ts';
import type { Services } from './services.ts';
import { answeringDevice } from './shown-factor.ts';

/** A transfer of which no byte moves for this long is broken off, ms. */
const STALL_MS = 60_000;
/** A leaf has looked at what one touch proves by then, ms. */
const LEAF_MS = 15_000;

type FilesServices = Pick<Services, 'files' | 'servers' | 'identity' | 'sessions'>;
interface Asked {
  readonly params: { readonly nodeId: string; readonly login: string };
  readonly webauthn?: string | undefined;
}
/** What a call says of the leave it has of others. */
interface Leave extends Pick<Asked, 'webauthn'> {
  readonly moderatedSessionId?: string | undefined;
  readonly fileTransferRequestId?: string | undefined;
  readonly set?: string | undefined;
}

/** Where, and as whom; with the second factor proven where one was given. Throws Failure not_found, denied. */
async function askOf(services: FilesServices, who: Who, { params, webauthn }: Asked): Promise<FilesAsk> {
  const target = await services.servers.target(who, params.nodeId);
  return proven(services, { who, target, login: params.login }, webauthn);
}
/** The same with its second factor, where one was given. Throws Failure denied. */
async function proven({ identity }: FilesServices, ask: FilesAsk, webauthn: string | undefined): Promise<FilesAsk> {
  const { who } = ask;
  if (!who.rights.options.sessionFactor) return ask;
  // What somebody shows their root cluster is said by that cluster alone.
  if (isOfVisitor(who.userId)) return { ...ask, ...(who.shownDevice !== undefined && { device: who.shownDevice }) };
  return webauthn === undefined ? ask : { ...ask, device: await answeringDevice(identity, who.userId, webauthn) };
}
/** The same with all the leave that a call names for what it is about to do, both ends of it. Throws Failure bad_request, denied. */
async function allowed(
  services: FilesServices,
  asked: FilesAsk,
  { moderatedSessionId: sid, fileTransferRequestId: requestId, webauthn, set }: Leave,
  does: FileAct['does'],
  transfer: FileRequest,
): Promise<{ readonly ask: FilesAsk; readonly end: Pick<FilesAsk, 'device' | 'approved' | 'within'> }> {
  if ((sid === undefined) !== (requestId === undefined))
    throw new Failure('bad_request', 'give moderatedSessionId and fileTransferRequestId, or neither');
  const { who, target, login } = asked;
  const act: FileAct = { does, serverId: target.id, login, transfer };
  const keyed = await proven(services, asked, webauthn);
  const one = keyed.device === undefined && set !== undefined ? services.files.proven(asked, set, act) : null;
  const ask = one ? { ...keyed, device: one.device, ...(one.within !== undefined && { within: one.within }) } : keyed;
  const device = ask.device === undefined ? {} : { device: ask.device };
  const within = one?.toWithin === undefined ? {} : { within: one.toWithin };
  if (sid === undefined || requestId === undefined) return { ask, end: { ...device, ...within } };
  // One approval is for the transfer, whose both ends ask for it.
  let taken: ReturnType<FilesServices['sessions']['takeApproved']> | undefined;
  const take = () => {
    if (taken === undefined) taken = services.sessions.takeApproved(sid, requestId, who.userId, act);
    return taken;
  };
  const approvedEnd = (): Approval | null => {
    const whole = take();
    return whole && { signal: whole.signal, ...(whole.toWithin !== undefined && { within: whole.toWithin }) };
  };
  return { ask: { ...ask, approved: take }, end: { ...device, ...within, approved: approvedEnd } };
}
const folderOf = (location: string): FileRequest => ({ download: true, location, filename: '' });
/** Of what is moved or removed, none of which comes here. */
const fileOf = (location: string): FileRequest => ({ download: false, location, filename: '' });

/** Where a download begins: only the rest of a file can be asked for. Throws Failure bad_request. */
function startOf({ headers: { range } }: FastifyRequest): number {
  if (range === undefined) return 0;
  const from = Number(/^bytes=(\d{1,15})-$/.exec(range)?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) throw new Failure('bad_request', 'range: give bytes=N-, the place to go on from');
  return from;
}
/** Where an upload goes on. Throws Failure bad_request. */
function goesOnAt({ headers }: FastifyRequest, length: number): number {
  const range = headers['content-range'];
  if (range === undefined) return 0;
  const [, from, to, total] = (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(range) ?? []).map(Number);
  if (from === undefined || to === undefined || total === undefined || to + 1 !== total || total - from !== length)
    throw new Failure('bad_request', 'content-range: give bytes FROM-LAST/SIZE, all that is left of the file');
  return from;
}
function lengthOf({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new Failure('bad_request', 'content-length: say how long the file is');
  return length;
}
const tagOf = (given: string | undefined): string | null => given ?? null;

/** Breaks off a connection that stands still, whoever of both does. */
function watchStall({ raw }: FastifyRequest): void {
  raw.setTimeout(STALL_MS, () => raw.destroy());
}

export function serveFiles(room: FastifyInstance, serve: Serve, services: Services): void {
  const { files } = services;

  serve(downloadFile, async ({ params, query, request, reply }, who) => {
    const from = startOf(request);
    const { location, transfer = null } = query;
    const wish = { location, from, transfer, ifTag: tagOf(request.headers['if-range'] as string | undefined) };
    const asked = await askOf(services, who, { params });
    const reach = query.archive && { reach: 'folder' as const };
    const wanted = { download: true, location, filename: query.filename ?? '', ...reach };
    const ask = files.goesOn(asked, wish) ?? (await allowed(services, asked, query, 'copy', wanted)).ask;
    watchStall(request);
    if (query.archive !== undefined) {
      const { name, bytes } = await files.downloadFolder(ask, location);
      return reply.header('content-disposition', attachment(name)).type('application/x-tar').send(bytes);
    }
    const file = await files.download(ask, wish);
    if (file.from > 0) reply.code(206).header('content-range', `bytes ${file.from}-${file.size - 1}/${file.size}`);
    return reply
      .headers({
        'content-length': file.size - file.from,
        'content-disposition': attachment(file.name),
        'accept-ranges': 'bytes',
        etag: file.tag,
      })
      .type('application/octet-stream')
      .send(file.bytes);
  });
  serve(proveTransfers, async ({ params, body: { transfers, webauthn }, request }, who) => {
    const leaf = otherCluster(request, services.config.clusterName);
    if (leaf !== undefined) {
      const device = await answeringDevice(services.identity, who.userId, webauthn);
      const body = { transfers, webauthn: '' };
      return askLeaf(proveTransfers, services.leaves, who, leaf, LEAF_MS, { params, body, device });
    }
    const { device, ...ask } = await askOf(services, who, { params, webauthn });
    if (device === undefined) throw new Failure('bad_request', 'Your roles ask for no hardware key here.');
    const named = await Promise.all(
      transfers.map(async ({ to, ...one }) => {
        if (!to) return one;
        return { ...one, to: { ...to, nodeId: (await services.servers.target(who, to.nodeId)).id } };
      }),
    );
    return { set: await files.prove({ ...ask, device }, named) };
  });
  serve(getTransfer, async ({ params }, who) => ({
    received: files.received(await askOf(services, who, { params }), params.transfer),
  }));
  serve(cancelTransfer, async ({ params }, who) => {
    await files.cancel(await askOf(services, who, { params }), params.transfer);
    return OK;
  });
  serve(listFiles, async ({ params, query }, who) => {
    const asked = await askOf(services, who, { params });
    const { ask } = await allowed(services, asked, query, 'look', folderOf(query.location));
    return files.entries(ask, query.location, query.search);
  });
  serve(makeFolder, async ({ params, body }, who) => {
    const asked = await askOf(services, who, { params });
    const { ask } = await allowed(services, asked, body, 'makeFolder', folderOf(body.location));
    await files.makeFolder(ask, body.location);
    return OK;
  });
  serve(moveFile, async ({ params, body }, who) => {
    const { location, to } = body;
    const asked = await askOf(services, who, { params });
    const end = { nodeId: asked.target.id, login: asked.login, location: to };
    const { ask } = await allowed(services, asked, body, 'move', { ...fileOf(location), act: 'move', to: end });
    await files.move(ask, location, to);
    return OK;
  });
  serve(removeFile, async ({ params, query }, who) => {
    const { location, all } = query;
    const asked = await askOf(services, who, { params });
    const { ask } = await allowed(services, asked, query, 'remove', { ...fileOf(location), act: 'remove' });
    await files.remove(ask, location, all !== undefined);
    return OK;
  });

  serve(copyFile, async ({ params, body, request, reply }, who) => {
    const { location, to } = body;
    const [from, target] = [await askOf(services, who, { params }), await askOf(services, who, { params: to })];
    const wanted = { download: true, location, filename: '', to: { ...to, nodeId: target.target.id } };
    const { ask, end } = await allowed(services, from, body, 'copy', wanted);
    const lines = await files.copy(ask, location, { ...target, ...end }, to.location);
    watchStall(request);
    const text = async function* (): AsyncGenerator<string, void> {
      for await (const line of lines) yield `${JSON.stringify(line)}\n`;
    };
    return reply.type('application/x-ndjson').send(Readable.from(text()));
  });

  // The body of this one call is left as it comes, whatever type a browser gives it.
  room.register(async streamed => {
    streamed.removeAllContentTypeParsers();
    streamed.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    createServe(streamed, services)(uploadFile, async ({ params, query, request }, who) => {
      const length = lengthOf(request);
      const from = goesOnAt(request, length);
      const { location, filename = '', transfer = null } = query;
      const asked = await askOf(services, who, { params });
      const { ask } = await allowed(services, asked, query, 'copy', { download: false, location, filename });
      watchStall(request);
      const wish = { location, filename, length, from, transfer, ifTag: tagOf(request.headers['if-match']) };
      await files.upload(ask, wish, request.raw);
      return OK;
    });
  });
}

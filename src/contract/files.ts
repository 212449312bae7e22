// Files on servers, as a login there sees them. Paths: `~/` is where the login begins. A byte of a name that is no UTF-8 stands in JSON as the
// lone surrogate U+DC00 + byte, and in a query as itself, percent-encoded.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { clusterParams, name, ok, time } from './shapes.ts';
import { fileRequest } from './terminal.ts';

/**
 * A name as people and the audit log read it: what is no text as `\xff`, and nothing that ends a line or turns the order of what stands
 * around it.
 */
export const shownName = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\udc80-\udcff]/gu, char => {
    const code = char.charCodeAt(0);
    return code < 0x100 || code >= 0xdc80
      ? `\\x${(code & 0xff).toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });

const place = z.extend(clusterParams, { nodeId: name, login: name });
const kept = z.extend(place, { transfer: name });
const path = z.string().check(z.minLength(1), z.maxLength(4096));
/** The answer to a challenge: JSON `{"webauthnAssertionResponse": …}`, where roles ask for a second factor for each session. */
const webauthn = z.optional(z.string().check(z.maxLength(16_384)));

/** What a call says of the leave it has of others. */
const leave = {
  /** Both or neither: a request that the moderators of a session have approved. */
  moderatedSessionId: z.optional(name),
  fileTransferRequestId: z.optional(name),
  webauthn,
  /** Ours: several transfers that were proven by one touch, this one among them. */
  set: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'a UUID'))),
};

export const fileEntry = z.object({
  name: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  /** Bytes. */
  size: z.number(),
  /** Permissions, the lower twelve bits of stat(2). */
  mode: z.number(),
  modified: time,
});
export type FileEntry = z.infer<typeof fileEntry>;

const transferQuery = z.object({
  location: path,
  filename: z.optional(z.string().check(z.maxLength(255))),
  ...leave,
  /** Ours: a folder comes as a tar. */
  archive: z.optional(z.enum(['tar'])),
  /** Ours: a name for a transfer, so that it can go on after a cut, and needs no new proof or approval for it. */
  transfer: z.optional(z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'a UUID'))),
});
export type TransferQuery = z.infer<typeof transferQuery>;

export const downloadFile = call('GET', 'sites/:clusterId/nodes/:nodeId/:login/scp', {
  summary: 'A file of a server, whole or from a place on (Range, If-Range).',
  access: 'signedIn',
  streamed: true,
  params: place,
  query: transferQuery,
  reply: z.unknown(),
});
export const uploadFile = call('POST', 'sites/:clusterId/nodes/:nodeId/:login/scp', {
  summary: 'Write a file of a server: its bytes are the body. With If-Match only while it has that ETag.',
  access: 'signedIn',
  streamed: true,
  params: place,
  query: transferQuery,
  reply: ok,
});
/** Transfers that one touch proves. */
export const SET_MOST = 1000;
export const proveTransfers = call('POST', 'sites/:clusterId/nodes/:nodeId/:login/scp/set', {
  summary:
    'Prove several transfers by one answer to a challenge: each may then be done once, with `set` in place of `webauthn`, within an hour and while files of the server are in use.',
  access: 'signedIn',
  // The answer is the person's at the root, and no leaf sees it.
  atRoot: true,
  params: place,
  body: z.object({
    transfers: z.array(fileRequest).check(z.minLength(1), z.maxLength(SET_MOST)),
    webauthn: z.string().check(z.maxLength(16_384)),
  }),
  reply: z.object({ set: z.string() }),
});
export const getTransfer = call('GET', 'sites/:clusterId/nodes/:nodeId/:login/scp/:transfer', {
  summary: 'How many bytes an upload that was cut off has.',
  access: 'signedIn',
  params: kept,
  reply: z.object({ received: z.number() }),
});
export const cancelTransfer = call('DELETE', 'sites/:clusterId/nodes/:nodeId/:login/scp/:transfer', {
  summary: 'Give up an upload and remove what it has written.',
  access: 'signedIn',
  params: kept,
  reply: ok,
});
export const listFiles = call('GET', 'sites/:clusterId/nodes/:nodeId/:login/files', {
  summary:
    'What is in a folder of a server, or what of it has a text in its name. `whole` is false where there is more than one answer holds.',
  access: 'signedIn',
  params: place,
  query: z.object({ location: path, search: z.optional(z.string().check(z.maxLength(255))), ...leave }),
  reply: z.object({ path: z.string(), entries: z.array(fileEntry), whole: z.boolean() }),
});
export const makeFolder = call('POST', 'sites/:clusterId/nodes/:nodeId/:login/files', {
  summary: 'Make a folder on a server.',
  access: 'signedIn',
  params: place,
  body: z.object({ location: path, ...leave }),
  reply: ok,
});
export const moveFile = call('PUT', 'sites/:clusterId/nodes/:nodeId/:login/files', {
  summary: 'Give a file or folder of a server another name or place. Replaces nothing.',
  access: 'signedIn',
  params: place,
  body: z.object({ location: path, to: path, ...leave }),
  reply: ok,
});
export const removeFile = call('DELETE', 'sites/:clusterId/nodes/:nodeId/:login/files', {
  summary: 'Remove a file, a link or an empty folder of a server; with `all` also what is in a folder.',
  access: 'signedIn',
  params: place,
  query: z.object({ location: path, all: z.optional(z.enum(['true'])), ...leave }),
  reply: ok,
});

/** One line of the answer to a copy: how far it is, and at its end that it is whole or why it is not. */
export const copyLine = z.object({
  /** Bytes. */
  copied: z.number(),
  size: z.number(),
  done: z.optional(z.boolean()),
  failed: z.optional(z.object({ code: z.string(), message: z.string() })),
});
export type CopyLine = z.infer<typeof copyLine>;
export const copyFile = call('POST', 'sites/:clusterId/nodes/:nodeId/:login/files/copy', {
  summary:
    'Copy a file of a server to another server, or to another place of the same: answers lines of JSON that say how far it is.',
  access: 'signedIn',
  streamed: true,
  params: place,
  body: z.object({
    location: path,
    to: z.object({ nodeId: name, login: name, location: path }),
    ...leave,
  }),
  reply: z.unknown(),
});

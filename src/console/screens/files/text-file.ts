// A small text file of a server, read to be shown or changed, and saved only while the file is what was read.
import { encodedText, pathOf } from '../../../contract/call.ts';
import { ApiError, fromAnswer } from '../../../contract/failure.ts';
import { downloadFile, uploadFile } from '../../../contract/files.ts';
import { readJson } from '../../../contract/json.ts';
import { callParams, type Place } from '../../terminal/files/place.ts';
import type { Proof, ProofPorts } from '../../terminal/files/proof.ts';

/** Larger files are downloaded, not edited. */
const TEXT_MOST_BYTES = 1_000_000;

/** What is needed of the console. */
export interface TextPorts {
  readonly token: () => string | Promise<string>;
  readonly proof: Proof;
  readonly approval: ProofPorts['approval'];
  readonly fetch: typeof fetch;
}
export interface TextFile {
  /** With `\n` between its lines. */
  readonly text: string;
  /** What stood between them. */
  readonly ends: '\n' | '\r\n';
  /** Of the file as it was read. */
  readonly tag: string;
}
const refuse = (why: string): never => {
  throw new ApiError('bad_request', why);
};

/** Text of a file's bytes. Throws ApiError where they are no text that would come back as it was. */
export function textOf(bytes: ArrayBuffer): Pick<TextFile, 'text' | 'ends'> {
  if (new Uint8Array(bytes).includes(0)) refuse('This is no text: it holds NUL bytes. Download it instead.');
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse('This is no text in UTF-8. Download it instead.');
  }
  const returns = text.split('\r').length - 1;
  const pairs = text.split('\r\n').length - 1;
  if (returns !== pairs || (pairs > 0 && pairs !== text.split('\n').length - 1))
    refuse('Its lines end in different ways, which an editor here would change. Download it instead.');
  return { text: text.replaceAll('\r\n', '\n'), ends: pairs > 0 ? '\r\n' : '\n' };
}

async function ask(
  { token, proof, approval, fetch }: TextPorts,
  method: 'GET' | 'POST',
  place: Place,
  location: string,
  body?: string,
  ifTag?: string,
): Promise<Response> {
  const asked = { download: method === 'GET', location, filename: '' };
  const leave = { ...(await approval(place, asked, new AbortController().signal)), ...(await proof(place)) };
  const address = pathOf(method === 'GET' ? downloadFile : uploadFile, callParams(place));
  const query = Object.entries({ location, ...leave }).map(([name, value]) => `${name}=${encodedText(value)}`);
  const headers = {
    Authorization: `Bearer ${await token()}`,
    ...(body !== undefined && { 'Content-Type': 'application/octet-stream' }),
    ...(ifTag !== undefined && { 'If-Match': ifTag }),
  };
  const answer = await fetch(`${address}?${query.join('&')}`, {
    method,
    headers,
    cache: 'no-store',
    ...(body !== undefined && { body }),
  }).catch(() => {
    throw new ApiError('network');
  });
  if (!answer.ok) throw fromAnswer({ status: answer.status, url: address }, readJson(await answer.text()));
  return answer;
}

/** Throws ApiError, also for what is too large or no text. */
export async function readText(ports: TextPorts, place: Place, location: string): Promise<TextFile> {
  const answer = await ask(ports, 'GET', place, location);
  if (Number(answer.headers.get('content-length')) > TEXT_MOST_BYTES) {
    await answer.body?.cancel();
    refuse('It is larger than 1 MB. Download it instead.');
  }
  return { ...textOf(await answer.arrayBuffer()), tag: answer.headers.get('etag') ?? '' };
}

/** Throws ApiError, `changed` where the file is not what was read; `ifTag` null: whatever is there is replaced. */
export async function saveText(
  ports: TextPorts,
  place: Place,
  location: string,
  { text, ends }: Pick<TextFile, 'text' | 'ends'>,
  ifTag: string | null,
): Promise<void> {
  await ask(ports, 'POST', place, location, text.replaceAll('\n', ends), ifTag ?? undefined);
}

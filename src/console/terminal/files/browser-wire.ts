// Transfers by what browsers have: XMLHttpRequest says how far an upload is, fetch gives a download piece by piece.
import { ApiError, fromAnswer } from '../../../contract/failure.ts';
import { copyLine } from '../../../contract/files.ts';
import { readJson } from '../../../contract/json.ts';
import type { TransferWire } from './transfers.ts';

/** Pieces of a download are put away in parts of this size, which the browser may keep on disk, bytes. */
const PART_BYTES = 16 * 1024 * 1024;

const failureOf = (status: number, path: string, text: string): ApiError =>
  fromAnswer({ status, url: path.replace(/\?.*/s, '') }, readJson(text));

export const browserWire: TransferWire = {
  put: (path, file, from, token, { sent, signal }) =>
    new Promise((done, fail) => {
      const request = new XMLHttpRequest();
      request.open('POST', path);
      request.setRequestHeader('Authorization', `Bearer ${token}`);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      if (from > 0) request.setRequestHeader('Content-Range', `bytes ${from}-${file.size - 1}/${file.size}`);
      request.upload.onprogress = ({ loaded }) => sent(loaded);
      request.onload = () => {
        if (request.status === 200) done();
        else fail(failureOf(request.status, path, request.responseText));
      };
      request.onerror = () => fail(new ApiError('network'));
      request.onabort = request.onerror;
      signal.addEventListener('abort', () => request.abort(), { once: true });
      request.send(from > 0 ? file.slice(from) : file);
    }),
  async copy(path, body, token, { got, signal }) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const cut = (): never => {
      throw new ApiError('network');
    };
    const answer = await fetch(path, { method: 'POST', headers, body, signal }).catch(cut);
    if (!answer.ok || answer.body === null) throw failureOf(answer.status, path, await answer.text());
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const { done, value } = await reader.read().catch(cut);
      if (done) return cut();
      const lines = (text + value).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const told = copyLine.parse(JSON.parse(line));
        got(told.copied, told.size);
        if (told.failed) throw fromAnswer({ status: 400, url: path }, { error: told.failed });
        if (told.done) return;
      }
    }
  },
  async get(path, { token, got, again, signal }) {
    const parts: Blob[] = [];
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let [kept, loaded, tag] = [0, 0, ''];
    for (;;) {
      try {
        const headers = {
          Authorization: `Bearer ${await token()}`,
          ...(loaded > 0 && { Range: `bytes=${loaded}-`, 'If-Range': tag }),
        };
        const answer = await fetch(path, { headers, cache: 'no-store', signal }).catch(() => {
          throw new ApiError('network');
        });
        if (!answer.ok) throw failureOf(answer.status, path, await answer.text());
        if (answer.status === 200 && loaded > 0) {
          // It has changed meanwhile, and comes whole.
          parts.length = 0;
          pieces = [];
          [kept, loaded] = [0, 0];
        }
        tag = answer.headers.get('etag') ?? '';
        // 0: how large a folder is shows at its end.
        const length = Number(answer.headers.get('content-length'));
        const total = length > 0 ? loaded + length : 0;
        got(loaded, total);
        for (const reader = answer.body?.getReader(); reader; ) {
          const { done, value } = await reader.read().catch(() => {
            throw new ApiError('network');
          });
          if (done) break;
          pieces.push(value);
          loaded += value.length;
          if (loaded - kept >= PART_BYTES) {
            parts.push(new Blob(pieces));
            pieces = [];
            kept = loaded;
          }
          got(loaded, total);
        }
        if (loaded < total) throw new ApiError('network');
        return new Blob([...parts, ...pieces], { type: 'application/octet-stream' });
      } catch (error) {
        if (!(error instanceof ApiError) || !(await again(error))) throw error;
      }
    }
  },
};

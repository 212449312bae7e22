// What is done with files without copying them: folders looked through, made, moved and removed. A second factor is asked for once a while,
// and those in a session there once for a folder and what is below it, and for each thing that is moved or removed.
import { ApiError } from '../../../contract/failure.ts';
import { type FileEntry, listFiles, makeFolder, moveFile, removeFile } from '../../../contract/files.ts';
import type { FileRequest } from '../../../contract/terminal.ts';
import { callParams, type Place } from './place.ts';
import { createProof, type Leave, type ProofPorts } from './proof.ts';

export interface Listed {
  /** Without links, from the root. */
  readonly path: string;
  readonly entries: readonly FileEntry[];
  /** False where the gateway gives only the first ones. */
  readonly whole: boolean;
}
/** Each throws ApiError with the sentence of the gateway or the host. `leave`: what was given for this and more. */
export interface Looks {
  list(place: Place, location: string, search?: string, leave?: Leave): Promise<Listed>;
  makeFolder(place: Place, location: string, leave?: Leave): Promise<unknown>;
  move(place: Place, location: string, to: string): Promise<unknown>;
  /** A folder goes with all that is in it. */
  remove(place: Place, location: string): Promise<unknown>;
}

export function createLooks(ports: ProofPorts): Looks {
  const { call } = ports;
  const proof = createProof(ports);
  /** Asks again with a proof where that was what was missing. */
  async function proven<Value>(
    place: Place,
    ask: (given: { readonly webauthn?: string }) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await ask({});
    } catch (error) {
      const given = error instanceof ApiError && error.code === 'denied' ? await proof(place) : {};
      if (given.webauthn === undefined) throw error;
      return ask(given);
    }
  }
  /** What was approved last of what is looked at in each place. */
  const approved = new Map<string, Leave>();
  /** Asks those in the session there where what they have approved so far is not enough. */
  async function allowed<Value>(
    place: Place,
    request: FileRequest,
    leave: Leave | undefined,
    ask: (given: Leave) => Promise<Value>,
  ): Promise<Value> {
    if (leave) return proven(place, given => ask({ ...leave, ...given }));
    const key = JSON.stringify([...Object.values(callParams(place)), request.reach]);
    const before = (request.act === undefined && approved.get(key)) || {};
    try {
      return await proven(place, given => ask({ ...before, ...given }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unapproved') throw error;
      const now = await ports.approval(place, request, new AbortController().signal);
      if (now.moderatedSessionId === undefined) throw error;
      if (request.act === undefined) approved.set(key, now);
      return await proven(place, given => ask({ ...now, ...given }));
    }
  }
  return {
    list: (place, location, search = '', leave) =>
      allowed(place, { download: true, location, filename: '', reach: 'look' }, leave, given => {
        const query = { location, ...(search !== '' && { search }), ...given };
        return call(listFiles, { params: callParams(place), query });
      }),
    makeFolder: (place, location, leave) =>
      allowed(place, { download: false, location, filename: '', reach: 'folder' }, leave, given =>
        call(makeFolder, { params: callParams(place), body: { location, ...given } }),
      ),
    move: (place, location, to) =>
      allowed(
        place,
        {
          download: false,
          location,
          filename: '',
          act: 'move',
          to: { nodeId: place.serverId, login: place.login, location: to },
        },
        undefined,
        given => call(moveFile, { params: callParams(place), body: { location, to, ...given } }),
      ),
    remove: (place, location) =>
      allowed(place, { download: false, location, filename: '', act: 'remove' }, undefined, given =>
        call(removeFile, { params: callParams(place), query: { location, all: 'true', ...given } }),
      ),
  };
}

// What is done with files without copying them: folders looked through, made, moved and removed. A second factor is asked for once a while.
import { ApiError } from '../../../contract/failure.ts';
import { type FileEntry, listFiles, makeFolder, moveFile, removeFile } from '../../../contract/files.ts';
import { callParams, type Place } from './place.ts';
import { createProof, type ProofPorts } from './proof.ts';

export interface Listed {
  /** Without links, from the root. */
  readonly path: string;
  readonly entries: readonly FileEntry[];
  /** False where the gateway gives only the first ones. */
  readonly whole: boolean;
}
/** Each throws ApiError with the sentence of the gateway or the host. */
export interface Looks {
  list(place: Place, location: string, search?: string): Promise<Listed>;
  makeFolder(place: Place, location: string): Promise<unknown>;
  move(place: Place, location: string, to: string): Promise<unknown>;
  /** A folder goes with all that is in it. */
  remove(place: Place, location: string): Promise<unknown>;
}

export function createLooks(ports: ProofPorts): Looks {
  const { call } = ports;
  const proof = createProof(ports);
  /** Asks again with a proof where that was what was missing. */
  async function proven<Value>(place: Place, ask: (given: { webauthn?: string }) => Promise<Value>): Promise<Value> {
    try {
      return await ask({});
    } catch (error) {
      const given = error instanceof ApiError && error.code === 'denied' ? await proof(place) : {};
      if (given.webauthn === undefined) throw error;
      return ask(given);
    }
  }
  return {
    list: (place, location, search = '') =>
      proven(place, given =>
        call(listFiles, { params: callParams(place), query: { location, ...(search !== '' && { search }), ...given } }),
      ),
    makeFolder: (place, location) =>
      proven(place, given => call(makeFolder, { params: callParams(place), body: { location, ...given } })),
    move: (place, location, to) =>
      proven(place, given => call(moveFile, { params: callParams(place), body: { location, to, ...given } })),
    remove: (place, location) =>
      proven(place, given =>
        call(removeFile, { params: callParams(place), query: { location, all: 'true', ...given } }),
      ),
  };
}

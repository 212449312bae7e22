// The one list of transfers of a page, and what is dropped onto its terminals.
import type { DragEvent } from 'react';
import { saveFile } from '../../ui/save-file.ts';
import { frontOf, type Terminals } from '../terminals.ts';
import { browserWire } from './browser-wire.ts';
import { placeOf } from './place.ts';
import type { ProofPorts } from './proof.ts';
import { createTransfers, type Transfers } from './transfers.ts';

const made = new WeakMap<Terminals, Transfers>();

/**
 * What proves a second factor for files, and asks those in a session for them, as the terminals' page does it. `onAsked`: somebody waits for
 * them now.
 */
export const proofPortsOf = (terminals: Terminals, onAsked?: () => void): ProofPorts => ({
  call: terminals.ports.call,
  prove: (title, challenge, onGone) => terminals.ports.prove(title, challenge, onGone, false),
  async approval({ serverId, login }, transfer, signal) {
    const tab = terminals.state.tabs.find(
      one =>
        one.serverId === serverId &&
        one.login === login &&
        one.moderated &&
        one.mode === 'peer' &&
        one.status === 'connected',
    );
    if (tab) onAsked?.();
    return tab ? ((await terminals.handle(tab.key)?.approval(transfer, signal)) ?? {}) : {};
  },
});
/** What is on its way; it outlives the pane that draws it. */
export function transfersOf(terminals: Terminals): Transfers {
  const transfers =
    made.get(terminals) ??
    createTransfers({
      ...proofPortsOf(terminals),
      token: () => terminals.ports.token(),
      save: saveFile,
      wire: browserWire,
      now: () => performance.now(),
      after: ms => new Promise(done => setTimeout(done, ms)),
    });
  made.set(terminals, transfers);
  return transfers;
}

/** Files that are dropped onto a terminal go to the home of its login. */
export const dropsOf = (terminals: Terminals, transfers: Transfers) => ({
  over(event: DragEvent): void {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  },
  drop(event: DragEvent): void {
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    event.preventDefault();
    const tab = frontOf(terminals.state);
    const place = placeOf(tab);
    if (!place || tab?.mode !== 'peer') {
      terminals.ports.notify('Connect this terminal to upload to its server');
      return;
    }
    terminals.transfer('upload');
    void transfers.upload(terminals.state.transfer?.place ?? place, [...files], '~/');
  },
});

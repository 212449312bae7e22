// A server may draw its screen while that is still being agreed on (MS-RDPBCGR, 1.3.1.1 and 1.3.1.3): xrdp does so after another size was asked
// for, when the machine is busy. Engines read past it, and the screen stays black: what is drawn until then comes right behind the agreement.
import { readPlayed } from '../../../../../contract/rdp-recorded.ts';
import { isSlow } from './pdus.ts';

/** More than this is not held back: it is passed on as it comes, bytes. */
const HELD_MOST_BYTES = 8 * 1024 * 1024;

type Pass = (pdu: Buffer, isDrawn: boolean) => void;

/** Passes a server's messages on in an order that an engine draws all of. */
export function createActivation(pass: Pass): Pass {
  /** What was drawn on a screen that is not agreed on yet; null: one is, or none was offered. */
  let held: Parameters<Pass>[] | null = null;
  let bytes = 0;
  const release = (): void => {
    const all = held ?? [];
    held = null;
    for (const one of all) pass(...one);
  };
  return (pdu, isDrawn) => {
    if (!isSlow(pdu)) {
      if (!held) return pass(pdu, isDrawn);
      held.push([pdu, isDrawn]);
      bytes += pdu.length;
      if (bytes > HELD_MOST_BYTES) release();
      return;
    }
    const { kind } = readPlayed(pdu);
    pass(pdu, isDrawn);
    if (kind === 'screen') {
      // What was drawn on one that never came to be is on none.
      held = [];
      bytes = 0;
    } else if (kind === 'begun') release();
  };
}

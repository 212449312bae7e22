// A server may draw its screen, and speak of the clipboard, while a screen is still being agreed on (MS-RDPBCGR, 1.3.1.1 and 1.3.1.3): xrdp does
// so after another size was asked for, when the machine is busy. Engines read past what is drawn, and the screen stays black, and die of all else:
// what is no part of the agreement comes right behind it.
import { readPlayed } from '../../../../../contract/rdp-recorded.ts';
import { readChannelData } from './mcs.ts';
import { isSlow } from './pdus.ts';

/** More than this is not held back: it is passed on as it comes, bytes. */
const HELD_MOST_BYTES = 8 * 1024 * 1024;
/** Kinds of messages with data that are part of an agreement, and what tells that there is none: synchronize, control, fonts, an error. */
const AGREED: readonly number[] = [0x1f, 0x14, 0x28, 0x2f];
const DATA = 7;
const OTHER = { kind: 'other' } as const;

type Pass = (pdu: Buffer, isDrawn: boolean) => void;

/** Passes a server's messages on in an order that an engine draws all of. */
export function createActivation(pass: Pass): Pass {
  /** What came beside the agreement on a screen; null: one is agreed on, or none was offered. */
  let held: Parameters<Pass>[] | null = null;
  let bytes = 0;
  /** The channel of what is drawn. */
  let io = 0;
  const release = (): void => {
    const all = held ?? [];
    held = null;
    bytes = 0;
    for (const one of all) pass(...one);
  };
  function isAgreement(pdu: Buffer): boolean {
    if (!isSlow(pdu)) return false;
    const sent = readChannelData(pdu, 'fromServer');
    if (!sent) return true;
    if (sent.channel !== io) return false;
    const { data } = sent;
    return data.length < 15 || (data.readUInt16LE(2) & 0xf) !== DATA || AGREED.includes(data[14] ?? 0);
  }
  return (pdu, isDrawn) => {
    const channel = readChannelData(pdu, 'fromServer')?.channel;
    // What is sent on other channels may look like anything.
    const { kind } = io === 0 || channel === io ? readPlayed(pdu) : OTHER;
    if (kind === 'noScreen' || kind === 'screen') {
      io = channel ?? io;
      // What was drawn on one that never came to be, or that is gone, is on none.
      held = (held ?? []).filter(([, wasDrawn]) => !wasDrawn);
      bytes = held.reduce((sum, [one]) => sum + one.length, 0);
      pass(pdu, isDrawn);
    } else if (!held || isAgreement(pdu)) {
      pass(pdu, isDrawn);
      if (kind === 'begun') release();
    } else {
      held.push([pdu, isDrawn]);
      bytes += pdu.length;
      if (bytes > HELD_MOST_BYTES) release();
    }
  };
}

// Those who watch a session on a desktop: each hears what is drawn from the moment they came, and where in the whole that is.
import { randomUUID } from 'node:crypto';
import type { Who } from '../../ports/who.ts';
import type { DesktopAudit } from './desktop-audit.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { SessionEnd } from './participant.ts';

/** Whoever watches. No method may throw; after `ended` none is called. */
export interface DesktopWatcher {
  /** What the server has drawn next. Copy the bytes: their memory is used again. */
  drawn(bytes: Uint8Array): void;
  ended(end: SessionEnd): void;
}
/** A place among those who watch. */
export interface DesktopSeat {
  /** Bytes that had been drawn before: they are in the recording. */
  readonly offset: number;
  /** Calling it again does nothing. */
  leave(): void;
}
interface Seat {
  readonly participant: { readonly id: string };
  readonly who: Who;
  readonly mode: 'observer';
  readonly lastActive: Date;
  readonly watcher: DesktopWatcher;
}
interface DesktopSeatsParts {
  readonly life: () => Pick<Lifecycle, 'over' | 'record' | 'participant'>;
  readonly audit: Pick<DesktopAudit, 'join' | 'leave'>;
  readonly now: () => Date;
  /** Told whenever others watch. */
  readonly changed: () => void;
}
interface DesktopSeats {
  all(): readonly Seat[];
  drawn(bytes: Uint8Array): void;
  take(who: Who, watcher: DesktopWatcher): DesktopSeat;
  /** Makes one leave, with a sentence why. */
  showOut(id: string, why: string): void;
  /** The session is over: all are told. */
  end(end: SessionEnd): void;
}

export function createDesktopSeats({ life, audit, now, changed }: DesktopSeatsParts): DesktopSeats {
  const seats = new Map<string, Seat>();
  let total = 0;
  function remove({ participant, who }: Seat): boolean {
    if (!seats.delete(participant.id)) return false;
    audit.leave(who);
    if (!life().over) life().record(to => to.presence(who.user, 'leave'));
    changed();
    return true;
  }
  return {
    all: () => [...seats.values()],
    drawn(bytes) {
      total += bytes.length;
      for (const { watcher } of seats.values()) watcher.drawn(bytes);
    },
    take(who, watcher) {
      const seat: Seat = { participant: { id: randomUUID() }, who, mode: 'observer', lastActive: now(), watcher };
      seats.set(seat.participant.id, seat);
      audit.join(who);
      life().participant(who);
      life().record(to => to.presence(who.user, 'join'));
      changed();
      return { offset: total, leave: () => void remove(seat) };
    },
    showOut(id, why) {
      const seat = seats.get(id);
      if (seat && remove(seat)) seat.watcher.ended({ kind: 'forbidden', text: why });
    },
    end(end) {
      const told = [...seats.values()];
      seats.clear();
      for (const { who, watcher } of told) {
        audit.leave(who);
        watcher.ended(end);
      }
    },
  };
}

// Whether a session may go on with those who are in it: it waits for whom its owner's roles demand, pauses or ends when they leave, and
// stands still while a moderator holds it. It judges by events alone and knows nothing of shells.
import type { SessionState } from '../../../contract/terminal.ts';
import type { JoinDemand } from '../../ports/rights.ts';
import { type Attendee, lackOf } from './policy/attendance.ts';

export interface GatheringParts {
  readonly ownerId: string;
  /** What the owner's roles demand now. */
  readonly demands: () => readonly JoinDemand[];
  readonly attendees: () => readonly Attendee[];
  /** Everybody is here for the first time. */
  readonly begin: () => void;
  /** Lets input and output through, or holds both back. */
  readonly flows: (on: boolean) => void;
  /** A sentence for the terminals of all. */
  readonly say: (sentence: string) => void;
  readonly end: (why: string) => void;
}
export interface Gathering {
  readonly sessionState: Pick<SessionState, 'state' | 'why'>;
  /** Somebody came or went, or roles have changed. True when the state is another now. */
  judge(): boolean;
  /** A moderator pauses it, or lets it go on (null). True when the state is another now. */
  hold(by: string | null): boolean;
}

/** `begun`: nobody was lacking when it was opened. */
export function createGathering(parts: GatheringParts, begun: boolean): Gathering {
  let hasBegun = begun;
  let holder: string | null = null;
  let sessionState: Gathering['sessionState'] = { state: 'running', why: '' };
  let over = false;

  function enter(state: SessionState['state'], why: string): boolean {
    if (sessionState.state === state && sessionState.why === why) return false;
    sessionState = { state, why };
    if (state !== 'running') {
      parts.flows(false);
      parts.say(why);
      return true;
    }
    parts.say(hasBegun ? 'The session goes on.' : 'Everybody is here: the session begins.');
    if (!hasBegun) parts.begin();
    hasBegun = true;
    parts.flows(true);
    return true;
  }
  function judge(): boolean {
    if (over) return false;
    const lack = lackOf(parts.demands(), parts.ownerId, parts.attendees());
    if (!hasBegun && lack)
      return enter('pending', `The session begins when those are here who must be: ${lack.awaited}.`);
    if (lack?.onLeave === 'terminate') {
      over = true;
      parts.flows(false);
      parts.end(`The session was ended, because it may not go on without ${lack.awaited}.`);
      return false;
    }
    if (lack) return enter('paused', `The session is paused until those are here who must be: ${lack.awaited}.`);
    if (holder !== null) return enter('paused', `The session was paused by ${holder}, a moderator.`);
    return enter('running', '');
  }
  judge();
  return {
    get sessionState() {
      return sessionState;
    },
    judge,
    hold(by) {
      holder = by;
      return judge();
    },
  };
}

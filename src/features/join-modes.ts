// The ways to take part in a running session, in words: palette, rows and the command line read them here.
import type { Mode } from '../contract/live-sessions.ts';

interface JoinMode {
  readonly title: string;
  readonly detail: string;
  /** Why it is not offered. */
  readonly refused: string;
}

/** Every way to take part, in words. */
export const joinModes: Readonly<Record<Mode, JoinMode>> = {
  observer: {
    title: 'Observer',
    detail: 'Watch only',
    refused: 'None of your roles lets you join as an observer',
  },
  moderator: {
    title: 'Moderator',
    detail: 'Watch, and end the session when needed',
    refused: 'None of your roles lets you join as a moderator',
  },
  peer: {
    title: 'Peer',
    detail: 'Watch and type',
    refused: 'None of your roles lets you join as a peer',
  },
};

/** Every way, the one that does least first. */
export const modeIds = Object.keys(joinModes) as readonly Mode[];

/** The way that a text names; undefined where it names none. */
export const modeIn = (text: string): Mode | undefined => modeIds.find(mode => mode === text);

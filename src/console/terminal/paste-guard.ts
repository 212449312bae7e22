// Asks before a paste that may do more than meant: it names where it goes and shows what it is. The answers are remembered except for production.
import { proxy, ref } from 'valtio/vanilla';
import { type Paste, readPaste } from './paste.ts';
import { createServerAnswers } from './server-answers.ts';
import { browserStorage } from './storage.ts';
import { type Tab, userOf } from './tab.ts';
import type { Terminals } from './terminals.ts';

/** A terminal that a paste goes to. */
export type PasteTarget = Pick<Tab, 'title' | 'production' | 'serverId' | 'parties' | 'party'>;

export interface PasteQuestion {
  readonly given: string;
  readonly paste: Paste;
  /** login@host of each. */
  readonly titles: readonly string[];
  /** What must be typed before it is sent: the host's name in production, the number of terminals where it goes to several; '' = nothing. */
  readonly proof: string;
  /** Whether the answer may be remembered. */
  readonly isRemembered: boolean;
}
export interface PasteAnswer {
  readonly text: string;
  /** Several lines go to these servers unasked from now on. */
  readonly remember: boolean;
}

const KEY = 'postern:paste_servers';

const hostOf = ({ title }: PasteTarget): string => title.slice(title.indexOf('@') + 1);

/** What must be typed for these terminals. */
export function proofOf(targets: readonly PasteTarget[]): string {
  const [first] = targets;
  if (first === undefined || targets.every(({ production }) => !production)) return '';
  return targets.length > 1 ? String(targets.length) : hostOf(first);
}

/** Makes the guard of the page's terminals. */
export function createPasteGuard({ ports }: Pick<Terminals, 'ports'>) {
  const state = proxy<{ question: PasteQuestion | null }>({ question: null });
  const remembered = createServerAnswers((ports.storage ?? browserStorage()).local, KEY);
  let settle = (_answer: PasteAnswer | null): void => {};

  return {
    state,
    /** What to send of a paste, once the person has agreed; null: nothing. */
    async ask(given: string, targets: readonly PasteTarget[]): Promise<string | null> {
      const paste = readPaste(given);
      if (paste.text === '' || targets.length === 0) return null;
      const proof = proofOf(targets);
      const isRemembered = proof === '' && paste.asks !== 'size';
      const isKnown = (target: PasteTarget): boolean => remembered.get(userOf(target), target.serverId) === true;
      if (paste.asks === undefined || (isRemembered && targets.every(isKnown))) return paste.text;
      settle(null); // a question that another one overtakes was not answered with yes
      state.question = ref({ given, paste, titles: targets.map(({ title }) => title), proof, isRemembered });
      const answer = await new Promise<PasteAnswer | null>(resolve => {
        settle = resolve;
      });
      if (answer?.remember === true && isRemembered)
        for (const target of targets) remembered.set(userOf(target), target.serverId, true);
      return answer && readPaste(answer.text).text;
    },
    /** The person's answer. */
    settle(answer: PasteAnswer | null): void {
      state.question = null;
      settle(answer);
    },
    /** Asks again for a server. */
    forget(target: PasteTarget): void {
      remembered.set(userOf(target), target.serverId, false);
      ports.notify(`Pastes of several lines to ${hostOf(target)} ask first`);
    },
  };
}
export type PasteGuard = ReturnType<typeof createPasteGuard>;

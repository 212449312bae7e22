// What a screen is given by the shell: the page it stands on and the ways out of it. Screens do not import the shell.
import { type AnchorHTMLAttributes, createContext, useContext, useEffect } from 'react';
import type { Given, Thing, Tools } from '../../../commands/command.ts';
import type { Call, CallGiven, MakeCall } from '../../contract/call.ts';
import type { ChangesMessage } from '../../contract/changes.ts';
import type { WebConfig } from '../../contract/config.ts';
import type { Mode } from '../../contract/live-sessions.ts';
import type { Preferences } from '../../contract/preferences.ts';
import type { SessionReply, UserContext } from '../../contract/session.ts';
import { to } from '../../features/paths.ts';
import type { FeatureId } from '../../features/table.ts';
import type { PageTerminals } from '../terminal/index.ts';
import type { FileAnswer } from '../ui/save-file.ts';
import type { Invites } from '../wizards/invites/invites.ts';
import type { Survey } from '../wizards/survey/survey.ts';
import type { Answers } from './answers.ts';

/** Makes a call whose answer is a file, which is not read yet. Throws ApiError. */
export type Download = <C extends Call>(call: C, given?: CallGiven<C>) => Promise<FileAnswer>;

/** What a person who just came in has answered. */
export interface StartAnswers {
  readonly survey: Survey | null;
  readonly invites: Invites;
}

export interface Page {
  readonly api: MakeCall;
  readonly download: Download;
  /** What lists were answered last; whoever changes something here makes it forgotten. Null while nobody is signed in. */
  readonly answers: Answers | null;
  readonly config: WebConfig;
  readonly feature: FeatureId;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The cluster of the page, else the gateway's own. */
  readonly clusterId: string;
  /** Null on pages that work signed out. */
  readonly who: UserContext | null;
  /** Why the session that this tab had before is over, in the gateway's words; '' where nothing was said. */
  readonly over: string;
  /** Changes the URL's query in place; empty values leave it. */
  readonly setQuery: (changed: Readonly<Record<string, string | undefined>>) => void;
  readonly go: Tools['go'];
  /** What commands act on: the marked rows, else the one under the cursor. */
  readonly select: (things: readonly Thing[]) => void;
  readonly notify: Tools['notify'];
  readonly confirm: Tools['confirm'];
  readonly copyText: Tools['copyText'];
  /** Asks anew who is signed in, after something about them changed. */
  readonly reloadUser: () => Promise<void>;
  /** Runs a command; what it still needs is asked by the palette. */
  readonly run: (commandId: string, given?: Given) => void;
  /** Null while nobody is signed in. */
  readonly terminal: PageTerminals | null;
  /** Calls when a command has changed something at the gateway; the answer ends it. */
  readonly onChange: (listener: () => void) => () => void;
  /** Calls when the gateway says that a list may show other rows than it was asked for; the answer ends it. */
  readonly onListChanged: (list: ChangesMessage['changed'], listener: () => void) => () => void;
  /** What a person chose for themselves, as a store to watch; null while nobody is signed in. */
  readonly preferences: {
    readonly state: { readonly chosen: Preferences };
    readonly change: (changed: Partial<Preferences>) => void;
  } | null;
  /** What sockets of this person need: a bearer token that is good now, and the answer to a question for a hardware key. Null signed out. */
  readonly sockets: {
    token(): string | Promise<string>;
    prove(title: string, challenge: string, onGone: (run: () => void) => void, again: boolean): Promise<string>;
  } | null;
  /** Shows the terminals that a console address means: opens or joins unless that tab is there already. */
  readonly arrive: (
    at: { readonly serverId: string; readonly login: string } | { readonly sid: string; readonly mode?: Mode } | null,
  ) => void;
  /** Loads a page anew as the person who just signed in; a reply is kept as this browser's session. */
  readonly enter: (path: string, reply?: SessionReply) => void;
  /** Keeps what a person who just came in has answered, until the console has started and can tell the gateway. */
  readonly keepForStart: (answers: StartAnswers) => void;
  /** Asks before this page is left, as long as the answer has not been called. */
  readonly guard: (text: string) => () => void;
  /** Follows a path on our own origin, such as that of a link that was already made. */
  readonly follow: (path: string) => void;
}

export const PageContext = createContext<Page | null>(null);

/** Asks before the page is left while `dirty`: what was typed would be lost. */
export function useGuard(dirty: boolean, text: string): void {
  const { guard } = usePage();
  useEffect(() => (dirty ? guard(text) : undefined), [dirty, text, guard]);
}

/** The page that the calling screen stands on. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error('A screen is drawn outside of the shell');
  return page;
}

interface LinkToProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  readonly id: FeatureId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** A link to a page of ours; with a modifier key it opens where the browser would open it. */
export function LinkTo({ id, params, query, onClick, ...rest }: LinkToProps) {
  const page = usePage();
  const all = { clusterId: page.clusterId, ...params };
  return (
    <a
      {...rest}
      href={to(id, all, query)}
      onClick={event => {
        onClick?.(event);
        if (
          event.defaultPrevented ||
          event.button !== 0 ||
          event.metaKey ||
          event.ctrlKey ||
          event.shiftKey ||
          event.altKey
        )
          return;
        event.preventDefault();
        page.go(id, all, query);
      }}
    />
  );
}

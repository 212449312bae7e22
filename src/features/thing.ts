// What can be picked: a row of a list, an answer to a command's question, a hit of the palette. All three are one shape.
import type { Mode } from '../contract/live-sessions.ts';
import type { SearchedNoun } from '../contract/search.ts';
import type { Label } from '../contract/shapes.ts';

/** Every kind of thing; nouns.ts says what each is. */
export type NounId =
  | SearchedNoun
  | 'connector'
  | 'loginRule'
  | 'trustedCluster'
  | 'lock'
  | 'integration'
  | 'trustedDevice'
  | 'review'
  | 'request'
  | 'userGroup'
  | 'event'
  | 'workspace'
  | 'pod'
  | 'token'
  | 'bot'
  | 'agent'
  | 'accessList';

export interface Thing {
  readonly kind: NounId;
  /** Stable id: node id, sid, user name… */
  readonly id: string;
  readonly title: string;
  readonly detail?: string;
  readonly labels?: readonly Label[];
  /** A session on a desktop: whoever joins it watches, on a page of its own. */
  readonly showsPictures?: true;
  /** Logins offered on a server or desktop, root first; users of a database; containers of a pod. */
  readonly logins?: readonly string[];
  /** Of a database server that can be used at a prompt: its databases that roles name. */
  readonly databases?: readonly string[];
  /** Ways the person may join a session. */
  readonly modes?: readonly Mode[];
  /** Why nothing can be done with it, such as a recording that was never made. */
  readonly refused?: string;
  /** Why it cannot be opened or joined, though other things can be done with it. */
  readonly closed?: string;
  /** For a web application: the console's page that leads to it. */
  readonly launch?: string;
  /** For an application: people sign in to it by SAML. */
  readonly saml?: true;
  /** What it is reached at, as people copy it. */
  readonly address?: string;
  /** For a user who signs in elsewhere, where roles and traits come from as well: that there is nothing to reset here. */
  readonly elsewhere?: string;
  /** For an audit event: it stands for several that one session repeated. */
  readonly isFold?: true;
  /** For an audit event: the session that it belongs to. */
  readonly sessionId?: string;
  /** For an audit event: who did it, and the server it happened on, by the names that people know. */
  readonly user?: string;
  readonly server?: string;
  /** For an agent: whether it is the person's own, and how it stands. */
  readonly agent?: { readonly isOwn: boolean; readonly state: string };
  /** For an access request: what the person may do with it. */
  readonly request?: { readonly mayReview: boolean; readonly mayUse: boolean };
  /** For an access list: what the person may do with it. */
  readonly list?: { readonly mayManage: boolean; readonly mayEdit: boolean; readonly mayDelete: boolean };
  /** For a recording: what the player's address carries. Without it, a terminal session. */
  readonly recording?: {
    readonly type: 'ssh' | 'k8s' | 'db' | 'app' | 'desktop';
    readonly durationMs: number;
    /** It was found by what was printed: the text, and where it stands first. */
    readonly found?: { readonly text: string; readonly ms: number };
  };
}

/** A column of a list, as text: what a table prints, sorts by and exports. */
export interface Column<Item> {
  /** Unique within its noun; where the gateway sorts by the column, its name of the field. */
  readonly key: string;
  readonly title: string;
  readonly of: (item: Item) => string;
  /** A list can be sorted by it. */
  readonly sorts?: true;
}

/** Root first, then as the gateway ordered them. */
export function loginsInOrder(logins: readonly string[]): string[] {
  return [...logins.filter(login => login === 'root'), ...logins.filter(login => login !== 'root')];
}

/** Where something is looked for from a terminal, or a border moved. */
export type Side = 'left' | 'right' | 'up' | 'down';

/** As a heading or a label begins. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The parts that say something, with room between them. */
export const detailOf = (...parts: readonly string[]): string => parts.filter(part => part !== '').join('  ');

// What the three kinds of connectors have in common: sending a browser to the provider, and reading what it comes back with.
import type { ConnectorKind } from '../../../../contract/connectors.ts';
import type { Profile, RoleRule } from './profile.ts';
import type { Connector } from './stored.ts';

/** Why nobody was signed in, for the audit log; `page` is where the browser is told. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly page: 'login' | 'callback' | 'auth';
  /** What the person is told beside the page's own words; empty: nothing. */
  readonly said: string;
  constructor(page: SignInRefused['page'], cause: string, said = '') {
    super(cause);
    this.page = page;
    this.said = said;
  }
}

/** What somebody is told whom the provider calls nothing that counts here: roles have no part in it. */
export const UNUSABLE_NAME =
  'Your sign-in provider knows you, but gives no name that can be used here. The log of the gateway says why.';

/** What is kept between the two, encrypted, and used once. */
export type Pending = Readonly<Record<string, string>>;

export interface Provider<Kind extends ConnectorKind = ConnectorKind> {
  /** Where the browser goes, and what must be known when it comes back. `state` comes back with it. */
  begin(connector: Connector<Kind>, state: string): Promise<{ readonly location: string; readonly pending: Pending }>;
  /** `returned`: query or form. Throws SignInRefused, or the error that its library says. */
  finish(connector: Connector<Kind>, returned: URLSearchParams, state: string, pending: Pending): Promise<Profile>;
  rules(connector: Connector<Kind>): readonly RoleRule[];
}

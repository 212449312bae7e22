// The tables as the query builder sees them. Times are milliseconds since 1970; JSON is kept as text in both engines.
import type { Generated } from 'kysely';

export interface ResourceRow {
  readonly id: Generated<number>;
  readonly kind: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly address: string;
  readonly subtype: string;
  /** JSON object. `resource_labels` is derived from it by trigger. */
  readonly labels: string;
  /** JSON array. */
  readonly words: string;
  readonly spec: string;
  /** Everything that `search` looks at, folded, one value per line. */
  readonly haystack: string;
  readonly name_fold: string;
  readonly title_fold: string;
  readonly address_fold: string;
  readonly description_fold: string;
  readonly subtype_fold: string;
  readonly revision: number;
  readonly created: number;
  readonly updated: number;
  readonly expires: number | null;
}

interface LabelRow {
  readonly resource: number;
  readonly kind: string;
  readonly key: string;
  readonly value: string;
}

export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly roles: string;
  readonly traits: string;
  readonly auth_type: string;
  readonly is_bot: number;
  /** Empty for users of the gateway's own. */
  readonly identity: string;
  readonly created: number;
  /** 0: never. */
  readonly last_sign_in: Generated<number>;
  /** JSON; empty: none. */
  readonly sign_in_traits: Generated<string>;
  readonly sign_in_rules: Generated<string>;
}

interface AttemptRow {
  readonly name: string;
  readonly failures: number;
  /** When counting began. */
  readonly since: number;
  readonly locked_until: number | null;
  readonly updated: number;
}

export interface WebSessionRow {
  readonly id: string;
  readonly user_id: string;
  readonly bearer: string;
  readonly bearer_expires: number;
  readonly previous_bearer: string | null;
  readonly previous_until: number | null;
  readonly created: number;
  readonly expires: number;
  readonly last_active: number;
  /** Empty: none was shown. */
  readonly mfa_device: string;
  readonly remote_addr: string;
  readonly user_agent: string;
  /** JSON list of ids. */
  readonly access_requests: string;
  /** Empty: of none. */
  readonly trusted_device: string;
  /** Empty: nobody acts as the user. */
  readonly impersonator: string;
}

export interface OneTimeTokenRow {
  readonly id: string;
  readonly kind: string;
  /** Empty for a link that makes its own user. */
  readonly user_id: string;
  readonly expires: number;
}

export interface EventRow {
  readonly seq: Generated<number>;
  readonly uid: string;
  readonly time: number;
  readonly type: string;
  readonly code: string;
  readonly user_name: string;
  readonly sid: string;
  /** Canonical JSON: keys sorted. */
  readonly raw: string;
  readonly chain: string;
  /** 1 for the first row of its chain. */
  readonly position: number;
  readonly hash: string;
}

interface EventChainRow {
  readonly chain: string;
  readonly length: number;
  readonly hash: string;
}

interface SessionPlaceRow {
  readonly sid: string;
  readonly user_id: string;
  /** Id of the gateway that runs the session. */
  readonly gateway: string;
  /** Counts until then, unless its gateway says that it still runs. */
  readonly until: number;
}

export interface MfaDeviceRow {
  readonly id: string;
  readonly user_id: string;
  readonly name: string;
  readonly kind: string;
  /** Sealed. Hardware keys: their public half, as it is. */
  readonly secret: string;
  readonly credential_id: string | null;
  readonly passwordless: number;
  readonly progress: number;
  readonly added: number;
  readonly last_used: number;
}

export interface ChallengeRow {
  readonly id: string;
  /** Empty where it is not known yet who answers. */
  readonly user_id: string;
  readonly purpose: string;
  readonly scope: string;
  readonly expires: number;
}

interface ConversationRow {
  readonly id: string;
  readonly user_id: string;
  readonly title: string;
  readonly created: number;
}

interface ConversationMessageRow {
  readonly id: string;
  readonly conversation: string;
  /** Its place in the conversation. */
  readonly position: number;
  readonly type: string;
  readonly created: number;
  readonly payload: string;
}

interface AccessListPlaceRow {
  readonly list: string;
  readonly relation: string;
  readonly kind: string;
  readonly name: string;
  readonly added: number;
  readonly expires: number | null;
  readonly reason: string;
  readonly added_by: string;
}

interface AccessListReviewRow {
  readonly id: string;
  readonly list: string;
  readonly time: number;
  readonly reviewer: string;
  /** JSON object. */
  readonly review: string;
}

export interface Tables {
  readonly resources: ResourceRow;
  readonly resource_labels: LabelRow;
  readonly users: UserRow;
  readonly passwords: { readonly user_id: string; readonly hash: string };
  readonly attempts: AttemptRow;
  readonly web_sessions: WebSessionRow;
  readonly one_time_tokens: OneTimeTokenRow;
  readonly mfa_devices: MfaDeviceRow;
  readonly recovery_codes: { readonly user_id: string; readonly hash: string; readonly created: number };
  readonly challenges: ChallengeRow;
  readonly preferences: { readonly user_id: string; readonly value: string };
  readonly conversations: ConversationRow;
  readonly conversation_messages: ConversationMessageRow;
  readonly settings: { readonly key: string; readonly value: string };
  readonly notification_reads: { readonly user_id: string; readonly key: string; readonly at: number };
  readonly access_list_places: AccessListPlaceRow;
  readonly access_list_reviews: AccessListReviewRow;
  readonly session_places: SessionPlaceRow;
  readonly events: EventRow;
  readonly event_chains: EventChainRow;
  readonly event_participants: { readonly user_name: string; readonly time: number; readonly seq: number };
}

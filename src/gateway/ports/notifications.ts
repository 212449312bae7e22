// Where notifications come from: each noun that has something to tell registers a source.
import type { NotificationKind } from '../../contract/notification-kinds.ts';
import type { Who } from './who.ts';

/** Something that concerns somebody. */
export interface Found {
  /** Names it for ever: what is found again under the same key is the same notification. At most 200 characters. */
  readonly key: string;
  readonly kind: NotificationKind;
  readonly date: Date;
  /** Path of the console's page that it leads to. */
  readonly route: string;
  readonly resourceName: string;
  readonly text: string;
}
export interface NotificationSource {
  /** What concerns this person now, by the rights that they have now. It stores nothing. */
  of?(who: Who): Promise<readonly Found[]>;
  /** What plugins are told of though no audit event says it, such as a date that has come: asked every minute, told once for each key. */
  due?(): Promise<readonly Found[]>;
}

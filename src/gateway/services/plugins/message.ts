// What a plugin says: the words of what happened, put into the plugin's own wording.
import { type Annotations, annotationText } from '../../../contract/access-requests.ts';
import { type NotificationKind, notificationKinds } from '../../../contract/notification-kinds.ts';
import { MESSAGE_DEFAULT, type MessagePart } from '../../../contract/plugin-kinds.ts';

/** Of a message, characters: what services take, and people read. */
const MESSAGE_MOST_CHARACTERS = 3000;

/** One thing that happened, as it is told outside. */
export interface Happened {
  /** The same at every try: whoever gets it twice can tell. */
  readonly id: string;
  readonly kind: NotificationKind | 'test';
  readonly title: string;
  readonly text: string;
  /** What roles say of an access request, by name. */
  readonly annotations: Annotations;
  /** Who it is about; empty: nobody. */
  readonly user: string;
  /** Page of the console. */
  readonly link: string;
  readonly time: Date;
}
export interface Message extends Happened {
  readonly cluster: string;
  /** The whole wording, not yet escaped for anything. */
  readonly words: string;
}

/** Puts what happened into a plugin's wording; what stands for nothing leaves no empty line. */
export function messageOf(happened: Happened, cluster: string, wording: string = MESSAGE_DEFAULT): Message {
  const parts: Readonly<Record<MessagePart, string>> = {
    title: happened.title,
    text: happened.text,
    kind: happened.kind === 'test' ? 'Test' : notificationKinds[happened.kind],
    annotations: annotationText(happened.annotations),
    user: happened.user,
    link: happened.link,
    time: happened.time.toISOString(),
    cluster,
  };
  const words = wording
    .replace(/\{([a-z]+)\}/g, (whole, part: string) =>
      Object.hasOwn(parts, part) ? parts[part as MessagePart] : whole,
    )
    .replace(/\n{2,}/g, '\n')
    .trim();
  return { ...happened, cluster, words: words.slice(0, MESSAGE_MOST_CHARACTERS) };
}

// Text between the clipboards of the browser and of a desktop, as far as the person lets the page have theirs.

/** More than the gateway hands on is not sent, characters. */
const TEXT_MOST_CHARACTERS = 128 * 1024;

export interface SharedClipboard {
  /** Something was copied on the desktop. */
  received(text: string): void;
  /** Sends what is in the browser's clipboard where that is new; `asks`: the browser may ask the person whether it may be read. */
  sync(asks: boolean): Promise<void>;
}

export function createSharedClipboard(ports: {
  readonly send: (text: string) => void;
  readonly notify: (text: string) => void;
  /** Whether a clipboard is read without the person being asked. */
  readonly isAllowed: () => Promise<boolean>;
  readonly clipboard: Pick<Clipboard, 'readText' | 'writeText'> | undefined;
  readonly hasFocus: () => boolean;
}): SharedClipboard {
  const { send, notify, isAllowed, clipboard, hasFocus } = ports;
  /** What both have. */
  let last = '';
  return {
    received(text) {
      if (text === last || text === '') return;
      last = text;
      clipboard?.writeText(text).catch(() => notify('The browser refused to copy what was copied on the desktop'));
    },
    async sync(asks) {
      if (clipboard === undefined) {
        if (asks) notify('This browser gives pages no clipboard');
        return;
      }
      if (!hasFocus() || (!asks && !(await isAllowed()))) return;
      const text = await clipboard.readText().catch(() => null);
      if (text === null) {
        if (asks) notify('The browser did not give its clipboard');
        return;
      }
      if (text === last || text === '') return;
      if (text.length > TEXT_MOST_CHARACTERS) {
        if (asks) notify(`The clipboard holds more than ${TEXT_MOST_CHARACTERS / 1024} kB of text: it was not shared`);
        return;
      }
      last = text;
      send(text);
      if (asks) notify('The clipboard is shared with the desktop');
    },
  };
}

/** Chromium says whether a page may read the clipboard; where nobody says, it is only read when it is asked for. */
export async function mayReadClipboard(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state === 'granted';
  } catch {
    return false;
  }
}

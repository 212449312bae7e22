// Where a pane is, as it stands in the page's address: `SERVER/LOGIN/PATH`. Names are bytes, addresses are text: a byte that is no text
// stands as `\xff`, and a backslash doubled.

export interface PaneAddress {
  readonly serverId: string;
  readonly login: string;
  readonly path: string;
}
export const paneText = ({ serverId, login, path }: PaneAddress): string =>
  `${encodeURIComponent(serverId)}/${encodeURIComponent(login)}/${path.replace(/[\\\udc80-\udcff]/gu, char =>
    char === '\\' ? '\\\\' : `\\x${(char.charCodeAt(0) - 0xdc00).toString(16)}`,
  )}`;

/** Null for what is no such text. */
export function readPane(text: string): PaneAddress | null {
  const [, serverId, login, path] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (serverId === undefined || login === undefined || path === undefined) return null;
  try {
    return {
      serverId: decodeURIComponent(serverId),
      login: decodeURIComponent(login),
      path: path.replace(/\\(?:\\|x([89a-f][0-9a-f]))/gi, (_whole, hex?: string) =>
        hex === undefined ? '\\' : String.fromCharCode(0xdc00 + Number.parseInt(hex, 16)),
      ),
    };
  } catch {
    // A lone percent sign is not an encoding of anything.
    return null;
  }
}

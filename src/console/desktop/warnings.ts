// What a person expects of a desktop and does not get, in words.
import type { DesktopProtocol } from '../../contract/resources.ts';

/** `sharesDirectories` and `sharesClipboard`: what the person's roles say. */
export function warningsOf(desktop: {
  readonly protocol: DesktopProtocol;
  readonly sharesClipboard: boolean;
  readonly sharesDirectories: boolean;
}): readonly string[] {
  const { protocol, sharesClipboard, sharesDirectories } = desktop;
  return [
    !sharesDirectories
      ? 'Your roles do not let directories be shared with desktops (desktop_directory_sharing).'
      : protocol === 'vnc'
        ? 'Directories cannot be shared with this desktop: VNC has no way to.'
        : 'Directories cannot be shared with this desktop: what draws RDP in the browser has no way to.',
    ...(sharesClipboard ? [] : ['Your roles do not let text go between the clipboards (desktop_clipboard).']),
  ];
}

// Which keys over a terminal are for the clipboard; every other key is the keymap's or the shell's.

export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/**
 * Copies with Ctrl+Shift+C, Ctrl+Insert and, when something is selected, Mod+C; pastes with Ctrl+Shift+V, Shift+Insert and, on macOS,
 * Cmd+V. Elsewhere Ctrl+V belongs to the shell: it quotes the next key there, and selects blocks in vim.
 */
export function clipboardKey(pressed: PressedKey, hasSelection: boolean, mac: boolean): 'copy' | 'paste' | null {
  const { ctrlKey, shiftKey, altKey, metaKey } = pressed;
  if (altKey) return null;
  const key = pressed.key.toLowerCase();
  const only = (ctrl: boolean, shift: boolean, meta: boolean): boolean =>
    ctrlKey === ctrl && shiftKey === shift && metaKey === meta;
  if (key === 'insert') return only(true, false, false) ? 'copy' : only(false, true, false) ? 'paste' : null;
  if (key === 'c' && (only(true, true, false) || (hasSelection && only(!mac, false, mac)))) return 'copy';
  if (key === 'v' && (only(true, true, false) || (mac && only(false, false, true)))) return 'paste';
  return null;
}

/** What a key of the phone's row sends; arrows follow the terminal's cursor-key mode. */
export function softKeyText(
  key: 'escape' | 'tab' | 'up' | 'down' | 'left' | 'right',
  applicationCursor: boolean,
): string {
  if (key === 'escape') return '\x1b';
  if (key === 'tab') return '\t';
  return `\x1b${applicationCursor ? 'O' : '['}${{ up: 'A', down: 'B', right: 'C', left: 'D' }[key]}`;
}

/** Applies a held Ctrl or Alt of the phone's row to what was typed next. */
export function withModifiers(text: string, modifiers: { readonly ctrl: boolean; readonly alt: boolean }): string {
  let out = text;
  if (modifiers.ctrl && text.length === 1) {
    const code = text.toUpperCase().charCodeAt(0);
    if (code >= 0x40 && code <= 0x5f) out = String.fromCharCode(code & 0x1f);
    else if (text === ' ') out = '\x00';
    else if (text === '?') out = '\x7f';
  }
  return modifiers.alt ? `\x1b${out}` : out;
}

export const isMac = (platform: string): boolean => /mac|iphone|ipad/i.test(platform);

// Keys by their places, as the first set of scan codes numbers them: 0xE0xx for those that were added later.

const from = (first: number, ...codes: readonly string[]): readonly [string, number][] =>
  codes.map((code, index) => [code, first + index]);
const digits = (...numbers: readonly number[]): readonly string[] => numbers.map(number => `Digit${number}`);
const letters = (text: string): readonly string[] => [...text].map(letter => `Key${letter}`);
const functions = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `F${first + index}`);

const scancodes: ReadonlyMap<string, number> = new Map([
  ...from(0x01, 'Escape', ...digits(1, 2, 3, 4, 5, 6, 7, 8, 9, 0), 'Minus', 'Equal', 'Backspace', 'Tab'),
  ...from(0x10, ...letters('QWERTYUIOP'), 'BracketLeft', 'BracketRight', 'Enter', 'ControlLeft'),
  ...from(0x1e, ...letters('ASDFGHJKL'), 'Semicolon', 'Quote', 'Backquote', 'ShiftLeft', 'Backslash'),
  ...from(0x2c, ...letters('ZXCVBNM'), 'Comma', 'Period', 'Slash', 'ShiftRight', 'NumpadMultiply', 'AltLeft', 'Space'),
  ...from(0x3a, 'CapsLock', ...functions(1, 10), 'Pause', 'ScrollLock', 'Numpad7', 'Numpad8', 'Numpad9'),
  ...from(0x4a, 'NumpadSubtract', 'Numpad4', 'Numpad5', 'Numpad6', 'NumpadAdd', 'Numpad1', 'Numpad2', 'Numpad3'),
  ...from(0x52, 'Numpad0', 'NumpadDecimal'),
  ...from(0x56, 'IntlBackslash', 'F11', 'F12', 'NumpadEqual'),
  ...from(0x64, ...functions(13, 23)),
  ...from(0x70, 'KanaMode'),
  ...from(0x73, 'IntlRo'),
  ...from(0x76, 'F24', 'Lang3'),
  ...from(0x77, 'Lang4'),
  ...from(0x79, 'Convert'),
  ...from(0x7b, 'NonConvert'),
  ...from(0x7d, 'IntlYen', 'NumpadComma'),
  ...from(0xe008, 'Undo'),
  ...from(0xe00a, 'Paste'),
  ...from(0xe010, 'MediaTrackPrevious'),
  ...from(0xe017, 'Cut', 'Copy', 'MediaTrackNext'),
  ...from(0xe01c, 'NumpadEnter', 'ControlRight'),
  ...from(0xe020, 'AudioVolumeMute', 'LaunchApp2', 'MediaPlayPause'),
  ...from(0xe024, 'MediaStop'),
  ...from(0xe02e, 'AudioVolumeDown'),
  ...from(0xe030, 'AudioVolumeUp'),
  ...from(0xe032, 'BrowserHome'),
  ...from(0xe035, 'NumpadDivide'),
  ...from(0xe037, 'PrintScreen', 'AltRight'),
  ...from(0xe045, 'NumLock'),
  ...from(0xe047, 'Home', 'ArrowUp', 'PageUp'),
  ...from(0xe04b, 'ArrowLeft'),
  ...from(0xe04d, 'ArrowRight'),
  ...from(0xe04f, 'End', 'ArrowDown', 'PageDown', 'Insert', 'Delete'),
  ...from(0xe05b, 'MetaLeft', 'MetaRight', 'ContextMenu', 'Power'),
  ...from(
    0xe065,
    'BrowserSearch',
    'BrowserFavorites',
    'BrowserRefresh',
    'BrowserStop',
    'BrowserForward',
    'BrowserBack',
  ),
  ...from(0xe06b, 'LaunchApp1', 'LaunchMail', 'MediaSelect'),
]);

/** Undefined for a key that is not sent. `code`: of a KeyboardEvent. */
export const scancodeOf = (code: string): number | undefined => scancodes.get(code);

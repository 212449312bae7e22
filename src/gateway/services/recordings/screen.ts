// A terminal without a window: draws what was printed and writes its screen down as output that draws it again.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import headless from '@xterm/headless';
import type { ScreenPicture } from '../../../contract/recordings.ts';
import type { Size } from '../../ports/shell.ts';
import { pictureOf } from './picture.ts';
import type { Pen } from './serialize.ts';
import { penText, serializeBuffer, serializeCursor } from './serialize.ts';

/** Lines above the screen that a key frame keeps. */
export const SCROLLBACK_LINES = 200;
/** A screen larger than this is drawn in part: a person may ask for 4095 by 4095, which would take 200 MB. */
const COLS_MOST = 1000;
const ROWS_MOST = 500;
/** Longest window title kept, characters. */
const TITLE_MOST = 256;

type Terminal = InstanceType<typeof headless.Terminal>;

export interface Screen {
  resize(size: Size): void;
  write(bytes: Uint8Array): Promise<void>;
  /** Whether no escape sequence and no UTF-8 character is half read: only then can the screen be written down. */
  atRest(): boolean;
  /** Output that draws this screen, its modes and its cursor on a reset terminal of the same size. */
  serialize(): string;
  /** What can be seen, for a small picture. */
  picture(): ScreenPicture;
  dispose(): void;
}

/**
 * What only xterm's inside knows. xterm is pinned to one version and the tests read every field, so an upgrade that moves one
 * is noticed at once.
 */
interface Inside {
  readonly _inputHandler: {
    readonly _parser: { readonly currentState: number };
    readonly _utf8Decoder: { readonly interim: Uint8Array };
    readonly _curAttrData: Pen;
  };
  readonly _bufferService: { readonly buffer: { readonly scrollTop: number; readonly scrollBottom: number } };
  readonly _charsetService: {
    readonly glevel: number;
    readonly charset: Readonly<Record<string, string>> | undefined;
    readonly _charsets: readonly (Readonly<Record<string, string>> | undefined)[];
  };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: { readonly cursorStyle?: string; readonly cursorBlink?: boolean };
  };
  readonly coreMouseService: { readonly activeEncoding: string };
}

/** You must dispose it. */
export function openScreen(size: Size): Screen {
  const terminal = new headless.Terminal({
    ...bounded(size),
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  // The console's terminals measure characters so; a screen drawn by another measure would be off by cells.
  terminal.loadAddon(new UnicodeGraphemesAddon());
  const inside = (terminal as unknown as { readonly _core: Inside })._core;
  let title = '';
  terminal.onTitleChange(text => {
    title = text.slice(0, TITLE_MOST).replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '');
  });
  return {
    resize(to) {
      const { cols, rows } = bounded(to);
      terminal.resize(cols, rows);
    },
    write: bytes => new Promise(resolve => terminal.write(bytes, resolve)),
    atRest: () =>
      inside._inputHandler._parser.currentState === 0 &&
      inside._inputHandler._utf8Decoder.interim.every(byte => byte === 0),
    serialize: () => serialize(terminal, inside, title),
    picture: () => pictureOf(terminal.buffer.active, terminal),
    dispose: () => terminal.dispose(),
  };
}

const bounded = ({ cols, rows }: Size): Size => ({ cols: Math.min(COLS_MOST, cols), rows: Math.min(ROWS_MOST, rows) });

function serialize(terminal: Terminal, inside: Inside, title: string): string {
  const { normal, active } = terminal.buffer;
  const { cols, rows, modes } = terminal;
  const { scrollTop, scrollBottom } = inside._bufferService.buffer;
  const { decPrivateModes, isCursorHidden } = inside.coreService;
  let text = serializeBuffer(normal, terminal, SCROLLBACK_LINES);
  // Switching keeps the cursor of the normal screen, to be brought back.
  if (active.type === 'alternate')
    text += `${serializeCursor(normal, cols, 0)}\x1b[?1049h\x1b[H${serializeBuffer(active, terminal, 0)}`;
  // Region and origin mode move the cursor home, so they come before it; what would change how it is drawn comes after.
  if (scrollTop !== 0 || scrollBottom !== rows - 1) text += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  if (modes.originMode) text += '\x1b[?6h';
  text += serializeCursor(active, cols, modes.originMode ? scrollTop : 0);
  if (!modes.wraparoundMode) text += '\x1b[?7l';
  if (modes.insertMode) text += '\x1b[4h';
  if (modes.applicationCursorKeysMode) text += '\x1b[?1h';
  if (modes.applicationKeypadMode) text += '\x1b=';
  if (modes.bracketedPasteMode) text += '\x1b[?2004h';
  if (modes.reverseWraparoundMode) text += '\x1b[?45h';
  if (modes.sendFocusMode) text += '\x1b[?1004h';
  const mouse = { none: 0, x10: 9, vt200: 1000, drag: 1002, any: 1003 }[modes.mouseTrackingMode];
  if (mouse) text += `\x1b[?${mouse}h`;
  if (inside.coreMouseService.activeEncoding === 'SGR') text += '\x1b[?1006h';
  if (inside.coreMouseService.activeEncoding === 'SGR_PIXELS') text += '\x1b[?1016h';
  if (isCursorHidden) text += '\x1b[?25l';
  const shape = { block: 1, underline: 3, bar: 5 }[decPrivateModes.cursorStyle ?? ''];
  if (shape !== undefined) text += `\x1b[${shape + (decPrivateModes.cursorBlink === false ? 1 : 0)} q`;
  const { charset: inUse, glevel, _charsets: charsets } = inside._charsetService;
  for (const level of [0, 1, 2, 3]) {
    // Bringing the cursor back brings its character set back as well, past what the level says. Line drawing is the one set in use.
    if ((level === glevel ? inUse : charsets[level])?.q === '─') text += `\x1b${'()*+'[level]}0`;
  }
  if (glevel === 1) text += '\x0e';
  if (title) text += `\x1b]2;${title}\x07`;
  return text + penText(inside._inputHandler._curAttrData);
}

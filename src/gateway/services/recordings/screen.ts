// A terminal without a window: draws what was printed and writes its screen down as output that draws it again.
import { SerializeAddon } from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import type { Size } from '../../ports.ts';

/** Lines above the screen that a key frame keeps. */
export const SCROLLBACK_LINES = 200;
/** Longest window title kept, characters. */
const TITLE_MOST = 256;

export interface Screen {
  resize(size: Size): void;
  write(bytes: Uint8Array): Promise<void>;
  /** Whether no escape sequence and no UTF-8 character is half read: only then can the screen be written down. */
  atRest(): boolean;
  /** Output that draws this screen, its modes and its cursor on a reset terminal of the same size. */
  serialize(): string;
  dispose(): void;
}

/**
 * What the serialize addon leaves out and only xterm's inside knows. xterm is pinned to one version and a test reads every
 * field, so an upgrade that moves one is noticed at once.
 */
interface Inside {
  readonly _inputHandler: {
    readonly _parser: { readonly currentState: number };
    readonly _utf8Decoder: { readonly interim: Uint8Array };
  };
  readonly _bufferService: {
    readonly buffer: {
      readonly scrollTop: number;
      readonly scrollBottom: number;
      readonly x: number;
      readonly y: number;
    };
  };
  readonly _charsetService: {
    readonly glevel: number;
    readonly _charsets: readonly (Readonly<Record<string, string>> | undefined)[];
  };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly decPrivateModes: {
      readonly origin: boolean;
      readonly cursorStyle?: string;
      readonly cursorBlink?: boolean;
    };
  };
  readonly coreMouseService: { readonly activeEncoding: string };
}

/** You must dispose it. */
export function openScreen(size: Size): Screen {
  const terminal = new headless.Terminal({
    ...size,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    logLevel: 'off',
  });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  const inside = (terminal as unknown as { readonly _core: Inside })._core;
  let title = '';
  terminal.onTitleChange(text => {
    title = text.slice(0, TITLE_MOST);
  });
  return {
    resize: to => terminal.resize(to.cols, to.rows),
    write: bytes => new Promise(resolve => terminal.write(bytes, resolve)),
    atRest: () =>
      inside._inputHandler._parser.currentState === 0 &&
      inside._inputHandler._utf8Decoder.interim.every(byte => byte === 0),
    serialize: () => serializer.serialize({ scrollback: SCROLLBACK_LINES }) + rest(inside, terminal.rows, title),
    dispose: () => terminal.dispose(),
  };
}

/** Scroll region, character sets, cursor and mouse report form, title. */
function rest(inside: Inside, rows: number, title: string): string {
  const { scrollTop, scrollBottom, x, y } = inside._bufferService.buffer;
  const { decPrivateModes: modes, isCursorHidden } = inside.coreService;
  let text = '';
  if (scrollTop !== 0 || scrollBottom !== rows - 1) {
    // Setting the region moves the cursor home; in origin mode rows count from the region's top.
    text += `\x1b[${scrollTop + 1};${scrollBottom + 1}r\x1b[${y + 1 - (modes.origin ? scrollTop : 0)};${x + 1}H`;
  }
  inside._charsetService._charsets.forEach((charset, level) => {
    if (charset?.q === '─' && level < 4) text += `\x1b${'()*+'[level]}0`;
  });
  if (inside._charsetService.glevel === 1) text += '\x0e';
  if (isCursorHidden) text += '\x1b[?25l';
  const shape = { block: 1, underline: 3, bar: 5 }[modes.cursorStyle ?? ''];
  if (shape !== undefined) text += `\x1b[${shape + (modes.cursorBlink === false ? 1 : 0)} q`;
  if (inside.coreMouseService.activeEncoding === 'SGR') text += '\x1b[?1006h';
  if (inside.coreMouseService.activeEncoding === 'SGR_PIXELS') text += '\x1b[?1016h';
  if (title) text += `\x1b]2;${title.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, '')}\x07`;
  return text;
}

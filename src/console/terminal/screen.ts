// One xterm on the page, dressed alike for sessions and for recordings: policy, theme, font, Unicode widths, links.
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type ITerminalOptions, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { styleNonce } from '../ui/style-nonce.ts';
import { documentUnder, obeyInRows, whileOpening } from './content-policy.ts';
import { createDisposables, type Disposable } from './disposables.ts';
import { webAddress } from './links.ts';
import { chosenTheme, leastContrast, onTheme } from './theme.ts';
import { createContextPool } from './webgl.ts';

/** Used until the page's own monospaced font has been loaded, and where there is none. */
const FALLBACK_FONT = 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const contexts = createContextPool();

export interface Screen extends Disposable {
  readonly xterm: Terminal;
  /** Shown screens draw with WebGL while contexts last; hidden ones give theirs back. */
  setShown(shown: boolean): void;
}

export interface ScreenOptions {
  readonly scrollback: number;
  readonly fontSize: number;
  readonly cols?: number;
  readonly rows?: number;
  readonly screenReaderMode?: boolean;
  /** Nothing can be typed: a player. */
  readonly readOnly?: boolean;
  /** The font arrived or the theme changed: cells may have another size now. */
  readonly onMeasured?: () => void;
  /** The address under the pointer, null when it left: what a link says and where it goes are two things. */
  readonly onLink?: (address: string | null) => void;
}

function openAddress(text: string): void {
  const address = webAddress(text);
  if (address) window.open(address, '_blank', 'noopener,noreferrer');
}

/** Puts a terminal into an element. */
export function openScreen(into: HTMLElement, options: ScreenOptions): Screen {
  const disposables = createDisposables();
  const page = into.ownerDocument;
  const nonce = styleNonce(page);
  const under = documentUnder(page, nonce);
  const fontNow = (): string => {
    const own = page.documentElement.dataset.terminalFont ?? '';
    const console = getComputedStyle(into).getPropertyValue('--font-mono').trim() || FALLBACK_FONT;
    return own === '' ? console : `"${own}", ${console}`;
  };
  const wanted = fontNow();
  const dress = chosenTheme(page);
  // Bold has a file of its own: drawn before it is here, it would stay in the fallback font.
  const faces = [`${options.fontSize}px ${wanted}`, `bold ${options.fontSize}px ${wanted}`];
  const loaded = faces.every(face => page.fonts.check(face));
  const given: ITerminalOptions & { cols?: number; rows?: number } = {
    allowProposedApi: true,
    documentOverride: under,
    scrollback: options.scrollback,
    minimumContrastRatio: leastContrast[dress.ground],
    fontSize: options.fontSize,
    fontFamily: loaded ? wanted : FALLBACK_FONT,
    fontWeightBold: 600,
    theme: dress.theme,
    cursorBlink: false,
    macOptionIsMeta: true,
    screenReaderMode: options.screenReaderMode ?? false,
    disableStdin: options.readOnly ?? false,
    logLevel: 'off',
    linkHandler: {
      activate: (_event, text) => openAddress(text),
      hover: (_event, text) => options.onLink?.(text),
      leave: () => options.onLink?.(null),
    },
    ...(options.cols === undefined ? {} : { cols: options.cols }),
    ...(options.rows === undefined ? {} : { rows: options.rows }),
  };
  const xterm = disposables.add(new Terminal(given));
  xterm.loadAddon(new UnicodeGraphemesAddon());
  xterm.loadAddon(
    new WebLinksAddon((_event, text) => openAddress(text), {
      hover: (_event, text) => options.onLink?.(text),
      leave: () => options.onLink?.(null),
    }),
  );
  whileOpening(page, nonce, () => xterm.open(into));
  const onDom = (): void => obeyInRows(xterm, under);
  onDom();

  let closed = false;
  disposables.defer(() => {
    closed = true;
  });
  if (!loaded) {
    void Promise.all(faces.map(face => page.fonts.load(face))).then(
      () => {
        if (closed) return;
        xterm.options.fontFamily = wanted;
        options.onMeasured?.();
      },
      () => {}, // the fallback stays: a terminal in another font is still a terminal
    );
  }
  disposables.defer(
    onTheme(page, () => {
      const { ground, theme } = chosenTheme(page);
      xterm.options.theme = theme;
      xterm.options.minimumContrastRatio = leastContrast[ground];
      if (xterm.options.fontFamily === fontNow()) return;
      xterm.options.fontFamily = fontNow();
      options.onMeasured?.();
    }),
  );
  disposables.defer(() => contexts.take(xterm, false, onDom));
  return { xterm, setShown: shown => contexts.take(xterm, shown, onDom), dispose: disposables.dispose };
}

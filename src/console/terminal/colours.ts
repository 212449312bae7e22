// Colours that a person may choose for terminals beside the console's own. Text has at least 7:1 on each ground; what programs choose is moved to
// the least contrast of its kind of ground, as with the console's own.

/** The ground, the text on it, and the sixteen colours of programs where they differ from the console's own. */
export interface Colours {
  readonly ground: 'light' | 'dark';
  readonly background: string;
  readonly foreground: string;
  readonly black?: string;
  readonly red?: string;
  readonly green?: string;
  readonly yellow?: string;
  readonly blue?: string;
  readonly magenta?: string;
  readonly cyan?: string;
  readonly white?: string;
}

/** By the name that is kept. */
export const colours = {
  black: { ground: 'dark', background: '#000000', foreground: '#ffffff' },
  solarizedDark: {
    ground: 'dark',
    background: '#002b36',
    foreground: '#c7d3d3',
    black: '#35606b',
    red: '#ff7a75',
    green: '#a3b800',
    yellow: '#d6a419',
    blue: '#5db2f2',
    magenta: '#f07ab8',
    cyan: '#4cc2b8',
    white: '#eee8d5',
  },
  gruvbox: {
    ground: 'dark',
    background: '#282828',
    foreground: '#ebdbb2',
    black: '#665c54',
    red: '#fb7a6b',
    green: '#b8bb26',
    yellow: '#fabd2f',
    blue: '#9bbfb3',
    magenta: '#e09ab0',
    cyan: '#8ec07c',
    white: '#ebdbb2',
  },
  paper: { ground: 'light', background: '#f7f3e9', foreground: '#1c1a14' },
  solarizedLight: {
    ground: 'light',
    background: '#fdf6e3',
    foreground: '#27444c',
    red: '#99201d',
    green: '#4a5200',
    yellow: '#6b4c00',
    blue: '#0f4f80',
    magenta: '#8a1a58',
    cyan: '#0b5650',
  },
} as const satisfies Readonly<Record<string, Colours>>;

/** Whether a text names some of them. */
export const isColours = (name: string): name is keyof typeof colours => Object.hasOwn(colours, name);

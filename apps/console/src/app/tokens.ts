/**
 * The design tokens: every colour and measure of the console, for the light and the dark scheme.
 * Text colours reach 4.5:1 on every surface they are used on, large figures and icons 3:1.
 */
export interface SchemeTokens {
  /** The page background, like paper. */
  paper: string;
  /** Cards, tables, dialogs, fields. */
  surface: string;
  /** A surface one level lower: table heads, wells, the hover of quiet buttons. */
  sunken: string;
  /** Hairlines between and around elements. */
  hairline: string;
  /** Borders of fields and controls, which must be visible without a fill (3:1). */
  outline: string;
  ink: string;
  inkQuiet: string;
  inkDisabled: string;
  /** The bar on top of every page. */
  bar: string;
  barInk: string;
  barQuiet: string;
  primary: { main: string; light: string; dark: string; contrastText: string };
  secondary: { main: string; light: string; dark: string; contrastText: string };
  /** Amber: warnings. `main` is for words and icons, `wash` for the background. */
  warning: { main: string; wash: string; contrastText: string };
  /** Brick red: stop. */
  stop: { main: string; wash: string; contrastText: string };
  /** Green: done. */
  done: { main: string; wash: string; contrastText: string };
  rowHover: string;
  rowSelected: string;
  focus: string;
}

export const light: SchemeTokens = {
  paper: '#f5f3ec',
  surface: '#ffffff',
  sunken: '#faf9f4',
  hairline: '#dcd8cb',
  outline: '#8a8f86',
  ink: '#1b2420',
  inkQuiet: '#545f59',
  inkDisabled: '#767f79',
  bar: '#0b4f3c',
  barInk: '#fbf9f2',
  barQuiet: '#bcd6ca',
  primary: { main: '#0b4f3c', light: '#2f6f5b', dark: '#07382a', contrastText: '#ffffff' },
  secondary: { main: '#00796b', light: '#339488', dark: '#005c51', contrastText: '#ffffff' },
  warning: { main: '#7d4f00', wash: '#fdf3dc', contrastText: '#ffffff' },
  stop: { main: '#9e2f20', wash: '#fbeae6', contrastText: '#ffffff' },
  done: { main: '#1c6445', wash: '#e7f2ec', contrastText: '#ffffff' },
  rowHover: '#f6f8f5',
  rowSelected: '#e8f2ed',
  focus: '#00796b',
};

export const dark: SchemeTokens = {
  paper: '#0e1412',
  surface: '#161e1b',
  sunken: '#1b2521',
  hairline: '#2d3a34',
  outline: '#75837b',
  ink: '#e7ece9',
  inkQuiet: '#a7b4ad',
  inkDisabled: '#7d8a83',
  bar: '#0a2a21',
  barInk: '#f3f1e8',
  barQuiet: '#a5c4b6',
  primary: { main: '#83cdad', light: '#a3dcc3', dark: '#5fb593', contrastText: '#06251a' },
  secondary: { main: '#6fc8bb', light: '#97d8ce', dark: '#48ac9e', contrastText: '#04241f' },
  warning: { main: '#eab955', wash: '#2e2614', contrastText: '#241a02' },
  stop: { main: '#f29a88', wash: '#38211c', contrastText: '#2d0d06' },
  done: { main: '#8fd0a9', wash: '#17291f', contrastText: '#06251a' },
  rowHover: '#1c2622',
  rowSelected: '#1b3329',
  focus: '#83cdad',
};

/** Widths and heights in px. */
export const measures = {
  /** The frame of every screen: as wide as the window, up to this width, so that tables can use the space. */
  page: 1680,
  row: 40,
  radius: 8,
  grid: 8,
} as const;

export const sans = "'Figtree Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

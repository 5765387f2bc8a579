/** The MUI theme: both colour schemes from the same tokens, hairlines instead of shadows, an 8 px grid. */
import { createTheme } from '@mui/material/styles';
// Imported for its types: `theme.vars` exists because the theme consists of CSS variables.
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers
import type {} from '@mui/material/themeCssVarsAugmentation';
import { dark, light, measures, type SchemeTokens, sans } from './tokens.ts';

interface SurfaceTokens {
  sunken: string;
  outline: string;
  bar: string;
  barInk: string;
  barQuiet: string;
  warning: string;
  stop: string;
  done: string;
  rowHover: string;
  rowSelected: string;
  focus: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    /** Backgrounds and lines beyond MUI's own; in `sx` as `'surface.sunken'`. */
    surface: SurfaceTokens;
  }
  interface PaletteOptions {
    surface: SurfaceTokens;
  }
}

function palette(t: SchemeTokens) {
  const meaning = (tone: SchemeTokens['warning']) => ({
    main: tone.main,
    light: tone.main,
    dark: tone.main,
    contrastText: tone.contrastText,
  });
  return {
    background: { default: t.paper, paper: t.surface },
    text: { primary: t.ink, secondary: t.inkQuiet, disabled: t.inkDisabled },
    divider: t.hairline,
    primary: t.primary,
    secondary: t.secondary,
    warning: meaning(t.warning),
    error: meaning(t.stop),
    success: meaning(t.done),
    info: t.secondary,
    action: { hover: t.rowHover, selected: t.rowSelected },
    surface: {
      sunken: t.sunken,
      outline: t.outline,
      bar: t.bar,
      barInk: t.barInk,
      barQuiet: t.barQuiet,
      warning: t.warning.wash,
      stop: t.stop.wash,
      done: t.done.wash,
      rowHover: t.rowHover,
      rowSelected: t.rowSelected,
      focus: t.focus,
    },
  };
}

/** Duration of the animations, in milliseconds; reduced motion turns them off in `base.css`. */
const motion = {
  shortest: 90,
  shorter: 120,
  short: 150,
  standard: 170,
  complex: 190,
  enteringScreen: 150,
  leavingScreen: 120,
};

export const theme = createTheme({
  // The scheme follows the system through a media query: no script decides, so nothing flashes.
  cssVariables: { colorSchemeSelector: 'media', cssVarPrefix: 'lms' },
  colorSchemes: { light: { palette: palette(light) }, dark: { palette: palette(dark) } },
  spacing: measures.grid,
  shape: { borderRadius: measures.radius },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  transitions: { duration: motion },
  typography: {
    fontFamily: sans,
    // One font size for the title of a screen, and three for text: 17, 15 and 13 px.
    h1: { fontSize: '1.75rem', lineHeight: 36 / 28, fontWeight: 680, letterSpacing: '-0.015em' },
    h2: { fontSize: '1.0625rem', lineHeight: 24 / 17, fontWeight: 650, letterSpacing: '-0.005em' },
    h3: { fontSize: '0.9375rem', lineHeight: 24 / 15, fontWeight: 650 },
    h6: { fontSize: '1.0625rem', lineHeight: 24 / 17, fontWeight: 650, letterSpacing: '-0.005em' },
    subtitle1: { fontSize: '1.0625rem', lineHeight: 24 / 17 },
    body1: { fontSize: '0.9375rem', lineHeight: 24 / 15 },
    body2: { fontSize: '0.8125rem', lineHeight: 20 / 13 },
    caption: { fontSize: '0.8125rem', lineHeight: 20 / 13 },
    button: { fontSize: '0.9375rem', lineHeight: 24 / 15, fontWeight: 620, textTransform: 'none' },
  },
  components: {
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: { minHeight: 40, paddingInline: 16, whiteSpace: 'nowrap' },
        outlined: ({ theme: t }) => ({ borderColor: t.vars.palette.surface.outline }),
        sizeSmall: { minHeight: 32, paddingInline: 12, fontSize: '0.8125rem' },
      },
    },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: {
        root: ({ theme: t }) => ({
          backgroundImage: 'none',
          border: `1px solid ${t.vars.palette.divider}`,
        }),
      },
    },
    MuiMenu: {
      // A menu covers other content without a backdrop, so it needs more than its hairline.
      styleOverrides: { paper: { boxShadow: '0 8px 24px rgb(9 24 19 / 14%)' } },
    },
    MuiDialog: { styleOverrides: { paper: { boxShadow: 'none' } } },
    MuiBackdrop: {
      // Only dialogs dim the page: a menu's backdrop catches the press but stays invisible.
      styleOverrides: {
        root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'rgb(9 24 19 / 55%)' } },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: ({ theme: t }) => ({ backgroundColor: t.vars.palette.background.paper }),
        notchedOutline: ({ theme: t }) => ({ borderColor: t.vars.palette.surface.outline }),
      },
    },
    MuiChip: { styleOverrides: { root: { borderRadius: 6 } } },
    MuiLinearProgress: {
      styleOverrides: {
        root: ({ theme: t }) => ({
          height: 6,
          borderRadius: 3,
          backgroundColor: t.vars.palette.divider,
        }),
        bar: { borderRadius: 3 },
      },
    },
    MuiTooltip: { defaultProps: { enterDelay: 400 } },
    MuiTab: { styleOverrides: { root: { minHeight: 48, minWidth: 0, paddingInline: 12 } } },
    MuiLink: { defaultProps: { underline: 'always' } },
  },
});

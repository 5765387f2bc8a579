/** Style of tables. Plain elements with one class each: a row costs the browser little. */
import { keyframes, styled, type Theme } from '@mui/material/styles';
import { onceThemed } from '../once-themed.ts';
import { cardStyles } from './card-styles.ts';

export const ROW_HEIGHT = 40;
/** Height of a line in a cell that wraps. */
export const WRAPPED_LINE = 18;
export const HEAD_HEIGHT = 40;
/** Height of the filter row, below the heads. */
export const FILTER_HEIGHT = 44;
/** Width of the button that opens a row, and of each level of indentation. */
export const BRANCH_WIDTH = 28;

const pulse = keyframes({ '50%': { opacity: 0.45 } });

export const Frame = styled('div')(
  onceThemed((theme) => ({
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.shape.borderRadius,
    backgroundColor: theme.vars.palette.background.paper,
    overflow: 'clip',
  })),
);

export const Region = styled('div')(
  onceThemed((theme) => ({
    position: 'relative',
    overflow: 'auto',
    overscrollBehaviorX: 'contain',
    '&:has(tfoot)': { scrollPaddingBottom: ROW_HEIGHT },
    '&:focus-visible': { outlineOffset: -2 },
    // On a narrow screen, the first column can scroll out of view, but the head cannot.
    borderBlock: `1px solid ${theme.vars.palette.divider}`,
    marginBlock: -1,
    // If there is space, only the page scrolls. Keys move to rows without hiding them below the head or an action bar.
    '@media (min-width: 1000px)': {
      '&[data-flows=true]': { overflow: 'visible', maxHeight: 'none !important' },
      '&[data-flows=true] tbody tr': { scrollMarginBlock: `${HEAD_HEIGHT}px 88px` },
    },
  })),
);

/** Heads, filters and totals, which stay in place while rows scroll. */
const edgeStyles = (theme: Theme) =>
  ({
    '& thead th, & thead td.pick': {
      position: 'sticky',
      top: 0,
      zIndex: 1,
      height: HEAD_HEIGHT,
      backgroundColor: theme.vars.palette.surface.sunken,
      color: theme.vars.palette.text.secondary,
      fontSize: theme.typography.body2.fontSize,
      fontWeight: 620,
      lineHeight: '16px',
      whiteSpace: 'normal',
    },
    '& thead .filters td': {
      position: 'sticky',
      top: HEAD_HEIGHT,
      zIndex: 1,
      height: FILTER_HEIGHT,
      padding: '0 6px',
      backgroundColor: theme.vars.palette.surface.sunken,
    },
    '& tfoot th, & tfoot td': {
      position: 'sticky',
      bottom: 0,
      zIndex: 1,
      borderTop: `1px solid ${theme.vars.palette.divider}`,
      borderBottom: 0,
      backgroundColor: theme.vars.palette.surface.sunken,
      fontWeight: 650,
    },
  }) as const;

/** Styles the contents of cells: wrapped text, numbers, IDs, and the button that opens a row. */
const contentStyles = (theme: Theme) =>
  ({
    // At most two lines, or as many as fit into a higher row.
    '& .wrap': {
      display: '-webkit-box',
      WebkitBoxOrient: 'vertical',
      WebkitLineClamp: 'var(--lines, 2)',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
      whiteSpace: 'normal',
      lineHeight: `${WRAPPED_LINE}px`,
    },
    // Padding above and below two lines; a row of one line is as high as any other.
    '& td.wraps': { paddingBlock: 'var(--air, 8px)' },
    '& .number': { textAlign: 'right', paddingInline: 8 },
    '& th.number button': { flexDirection: 'row-reverse' },
    '& .pick': { width: 48, padding: 0, textAlign: 'center' },
    '& .spacer': { height: 'auto', padding: 0, border: 0 },
    '& .id': {
      display: 'flex',
      alignItems: 'center',
      fontFamily: 'var(--lms-mono)',
      fontSize: '0.8125rem',
      '& > span': { overflow: 'hidden', textOverflow: 'ellipsis' },
      '& > .copy': { flex: 'none' },
    },
    '& .branch': { display: 'flex', alignItems: 'center', '& > .content': { minWidth: 0, flex: 1 } },
    '& .branch > .content': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& .toggle': {
      flex: 'none',
      display: 'grid',
      placeItems: 'center',
      width: BRANCH_WIDTH,
      height: 32,
      marginLeft: -8,
      padding: 0,
      border: 0,
      borderRadius: 6,
      background: 'none',
      color: theme.vars.palette.text.secondary,
      cursor: 'pointer',
      '&:hover': { color: theme.vars.palette.text.primary },
      '& svg': { transition: 'transform 120ms' },
      '&[aria-expanded=true] svg': { transform: 'rotate(90deg)' },
    },
    '& .heard': {
      position: 'absolute',
      width: 1,
      height: 1,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
      whiteSpace: 'nowrap',
    },
  }) as const;

const rowStyles = (theme: Theme) => ({
  '& tbody tr.row:hover > td': { backgroundColor: theme.vars.palette.surface.rowHover },
  '& tbody tr.row.selectable': { cursor: 'pointer' },
  '& tbody tr.row.selected > td': { backgroundColor: theme.vars.palette.surface.rowSelected },
  '& tbody tr.row.selected > td:first-of-type': {
    boxShadow: `inset 3px 0 0 ${theme.vars.palette.primary.main}`,
  },
  '& input[type=checkbox]': {
    width: 18,
    height: 18,
    margin: 0,
    verticalAlign: 'middle',
    accentColor: theme.vars.palette.primary.main,
    cursor: 'pointer',
  },
});

export const Table = styled('table')(
  onceThemed((theme) => ({
    width: '100%',
    borderCollapse: 'separate',
    borderSpacing: 0,
    tableLayout: 'fixed',
    fontSize: theme.typography.body1.fontSize,
    lineHeight: '20px',
    '& th, & td': {
      height: `var(--row, ${ROW_HEIGHT}px)`,
      padding: '0 12px',
      textAlign: 'left',
      fontWeight: 400,
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& tbody tr:last-of-type > td': { borderBottom: 0 },
    ...edgeStyles(theme),
    ...contentStyles(theme),
    '& .copy': { opacity: 0 },
    '& tr:hover .copy, & .copy:focus-visible': { opacity: 1 },
    '@media (hover: none)': { '& .copy': { opacity: 1 } },
    ...rowStyles(theme),
    '& tbody a': { color: theme.vars.palette.secondary.main },
    '& .bar': {
      display: 'block',
      height: 10,
      borderRadius: 4,
      backgroundColor: theme.vars.palette.divider,
      animation: `${pulse} 1.6s ease-in-out infinite`,
    },
    [theme.breakpoints.down('sm')]: cardStyles(theme),
  })),
);

export const SortButton = styled('button')(
  onceThemed((theme) => ({
    display: 'inline-flex',
    alignItems: 'center',
    gap: 4,
    maxWidth: '100%',
    minHeight: 32,
    margin: '0 -6px',
    padding: '0 6px',
    border: 0,
    borderRadius: 4,
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    cursor: 'pointer',
    textAlign: 'inherit',
    '& span': { overflow: 'hidden', textOverflow: 'ellipsis' },
    '& svg': { flex: 'none', opacity: 0.45 },
    '&[data-sorted] svg': { opacity: 1, color: theme.vars.palette.primary.main },
    '&:hover': { color: theme.vars.palette.text.primary },
    '&:hover svg': { opacity: 1 },
    '&:focus-visible': { outlineOffset: -2 },
  })),
);

/** The lines above and below a table. */
export const Line = styled('div')(
  onceThemed((theme) => ({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '8px 12px',
    minHeight: 52,
    boxSizing: 'border-box',
    padding: '8px 12px',
    fontSize: theme.typography.body2.fontSize,
    fontVariantNumeric: 'tabular-nums',
    color: theme.vars.palette.text.secondary,
  })),
);

export const SearchField = styled('div')(
  onceThemed((theme) => ({
    position: 'relative',
    flex: '1 1 220px',
    maxWidth: 420,
    '& > svg': { position: 'absolute', left: 10, top: 9, pointerEvents: 'none' },
    '& input': {
      boxSizing: 'border-box',
      width: '100%',
      height: 36,
      padding: '0 34px',
      border: `1px solid ${theme.vars.palette.surface.outline}`,
      borderRadius: 6,
      backgroundColor: theme.vars.palette.background.paper,
      color: theme.vars.palette.text.primary,
      font: 'inherit',
      fontSize: theme.typography.body1.fontSize,
      '&::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
      '&::-webkit-search-cancel-button': { display: 'none' },
      '&:hover': { borderColor: theme.vars.palette.text.secondary },
      '&:focus-visible': { outlineOffset: -1, borderColor: 'transparent' },
    },
  })),
);

export const QuietButton = styled('button')(
  onceThemed((theme) => ({
    display: 'inline-grid',
    gridAutoFlow: 'column',
    placeItems: 'center',
    gap: 4,
    minWidth: 32,
    height: 32,
    padding: '0 6px',
    border: 0,
    borderRadius: 6,
    background: 'none',
    color: theme.vars.palette.text.primary,
    font: 'inherit',
    cursor: 'pointer',
    '&:hover:not(:disabled)': { backgroundColor: theme.vars.palette.surface.rowSelected },
    '&:disabled': { color: theme.vars.palette.text.disabled, opacity: 0.6, cursor: 'default' },
    '&.underlined': { textDecoration: 'underline', textUnderlineOffset: 3 },
  })),
);

/** The field of a filter, text or choice. */
export const SizeSelect = styled('select')(
  onceThemed((theme) => ({
    height: 32,
    padding: '0 4px',
    border: `1px solid ${theme.vars.palette.surface.outline}`,
    borderRadius: 6,
    backgroundColor: theme.vars.palette.background.paper,
    color: theme.vars.palette.text.primary,
    font: 'inherit',
  })),
);

export const Track = styled('div')(
  onceThemed((theme) => ({
    height: 3,
    backgroundColor: theme.vars.palette.divider,
    '& > div': {
      height: '100%',
      backgroundColor: theme.vars.palette.secondary.main,
      transformOrigin: '0 50%',
      transition: 'transform 150ms linear',
    },
  })),
);

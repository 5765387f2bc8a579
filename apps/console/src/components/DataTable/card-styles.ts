/** Style of tables on a phone: the head is one line that scrolls sideways, each row a card of lines 'label: value'. */
import type { Theme } from '@mui/material/styles';

/** px: minimum height of a line of a card; the real height is measured after rendering. */
export const CARD_LINE = 28;
/** px above the first and below the last line of a card. */
export const CARD_EDGE = 10;

export function cardStyles(theme: Theme) {
  return {
    '&, & tbody, & tfoot': { display: 'block' },
    '& colgroup': { display: 'none' },
    ...headStyles(theme),
    ...rowStyles(theme),
    ...footStyles(theme),
  } as const;
}

function headStyles(theme: Theme) {
  const sunken = theme.vars.palette.surface.sunken;
  return {
    // Heads and filters stay aligned, and scroll sideways together.
    '& thead': {
      display: 'block',
      position: 'sticky',
      top: 0,
      zIndex: 1,
      backgroundColor: sunken,
      scrollbarWidth: 'none',
    },
    // The head scrolls only if it contains something that can have the focus.
    '& thead:has(button, input, select)': { overflowX: 'auto' },
    '& thead tr': { display: 'flex', width: 'max-content', minWidth: '100%' },
    '& thead :is(th, td), & thead .filters td': {
      position: 'static',
      display: 'flex',
      alignItems: 'center',
      boxSizing: 'border-box',
      flex: 'none',
      whiteSpace: 'nowrap',
    },
    '& thead button': { maxWidth: 'none' },
    // A head without a button is repeated on each card, so it is for screen readers only.
    '& thead:not(.filtered) th.still': {
      position: 'absolute',
      width: 1,
      height: 1,
      padding: 0,
      border: 0,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
    },
    '& thead.filtered :is(th, td):not(.pick)': { width: 148 },
    '& thead :is(th, td).pick': {
      position: 'sticky',
      left: 0,
      justifyContent: 'center',
      backgroundColor: sunken,
    },
  } as const;
}

function rowStyles(theme: Theme) {
  return {
    '& tbody tr:not([aria-hidden])': {
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 1fr)',
      padding: `${CARD_EDGE}px 12px`,
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& tbody tr.picks': { gridTemplateColumns: '32px minmax(0, 1fr)' },
    '& tbody tr:last-of-type': { borderBottom: 0 },
    '& tbody td:not(.spacer)': {
      display: 'flex',
      alignItems: 'baseline',
      gap: 12,
      height: 'auto',
      minHeight: CARD_LINE - 8,
      padding: '4px 0',
      border: 0,
      overflow: 'visible',
      overflowWrap: 'anywhere',
      whiteSpace: 'normal',
      textAlign: 'start',
    },
    '& tbody tr.picks > td': { gridColumn: 2 },
    // The checkbox is beside the whole card, aligned with the card's first line.
    '& tbody tr.picks > td.pick': {
      gridColumn: 1,
      gridRow: '1 / span 2',
      alignItems: 'start',
      width: 'auto',
      paddingTop: 5,
    },
    '& tbody td.title': { fontWeight: 620 },
    // The head has the same text for screen readers, so this label is visual only.
    '& :is(tbody, tfoot) td[data-label]::before': {
      content: 'attr(data-label) / ""',
      flex: '0 0 36%',
      maxWidth: 148,
      color: theme.vars.palette.text.secondary,
      fontSize: theme.typography.body2.fontSize,
      fontWeight: 400,
    },
    '& tbody td > *': { minWidth: 0 },
    '& .wrap': { display: 'block', overflow: 'visible' },
    '& .id > span, & .branch > .content': { overflow: 'visible' },
    '& tbody tr.row > td': { backgroundColor: 'transparent' },
    '& tbody tr.row:hover > td': { backgroundColor: 'transparent' },
    '& tbody tr.row.selected > td': { backgroundColor: 'transparent' },
    '& tbody tr.row.selected': {
      backgroundColor: theme.vars.palette.surface.rowSelected,
      boxShadow: `inset 3px 0 0 ${theme.vars.palette.primary.main}`,
    },
    '& tbody tr.row.selected > td:first-of-type': { boxShadow: 'none' },
    '& tbody td.spacer': { display: 'block' },
    '& tbody tr[aria-hidden]': { display: 'block' },
  } as const;
}

function footStyles(theme: Theme) {
  return {
    '& tfoot': {
      position: 'sticky',
      bottom: 0,
      backgroundColor: theme.vars.palette.surface.sunken,
      borderTop: `1px solid ${theme.vars.palette.divider}`,
    },
    '& tfoot tr': { display: 'flex', flexWrap: 'wrap', gap: '4px 16px', padding: '8px 12px' },
    '& tfoot :is(th, td)': {
      position: 'static',
      display: 'flex',
      gap: 6,
      height: 'auto',
      padding: 0,
      border: 0,
    },
    '& tfoot td:empty': { display: 'none' },
    '& tfoot td[data-label]::before': { flex: 'none' },
  } as const;
}

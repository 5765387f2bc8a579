/** Style of the form's rows. Plain elements with one class each: hundreds of fields cost the browser little. */
import { styled } from '@mui/material/styles';

/** Number, PeopleSoft ID, email, first and last name. */
const WIDE = '32px minmax(112px, 1.15fr) minmax(180px, 2.6fr) minmax(96px, 1.2fr) minmax(96px, 1.2fr)';

export const Grid = styled('div')({ display: 'grid', gap: 8 });

export const HeadRow = styled('div')(({ theme }) => ({
  display: 'none',
  [theme.breakpoints.up('md')]: {
    display: 'grid',
    gridTemplateColumns: WIDE,
    gap: 8,
    color: theme.vars.palette.text.secondary,
    fontSize: theme.typography.body2.fontSize,
    fontWeight: 620,
  },
}));

export const RowFrame = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 8,
  paddingBottom: 12,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.up('md')]: { gridTemplateColumns: WIDE, paddingBottom: 0, borderBottom: 0 },
}));

export const RowNumber = styled('span')(({ theme }) => ({
  gridColumn: '1 / -1',
  color: theme.vars.palette.text.secondary,
  fontSize: theme.typography.body2.fontSize,
  fontWeight: 620,
  fontVariantNumeric: 'tabular-nums',
  [theme.breakpoints.up('md')]: {
    '& .word': { display: 'none' },
    gridColumn: 'auto',
    fontWeight: 400,
    lineHeight: '40px',
    textAlign: 'right',
    paddingRight: 4,
  },
}));

export const Cell = styled('div')(({ theme }) => ({
  position: 'relative',
  minWidth: 0,
  // On a narrow screen, an address needs its own line.
  '&:has([data-field="email"])': { gridColumn: '1 / -1', order: 1 },
  '&:has([data-field="psID"])': { gridColumn: '1 / -1', order: 0 },
  '&:has([data-field="firstName"], [data-field="lastName"])': { order: 2 },
  [theme.breakpoints.up('md')]: {
    '&:has([data-field])': { gridColumn: 'auto', order: 0 },
  },
}));

export const FieldLabel = styled('span')(({ theme }) => ({
  display: 'block',
  marginBottom: 2,
  color: theme.vars.palette.text.secondary,
  fontSize: theme.typography.body2.fontSize,
  [theme.breakpoints.up('md')]: { display: 'none' },
}));

export const Input = styled('input')(({ theme }) => ({
  boxSizing: 'border-box',
  width: '100%',
  height: 40,
  padding: '0 10px',
  border: `1px solid ${theme.vars.palette.surface.outline}`,
  borderRadius: theme.shape.borderRadius,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  font: 'inherit',
  fontSize: theme.typography.body1.fontSize,
  '&[data-field="psID"]': { fontFamily: 'var(--lms-mono)', fontSize: '0.9em' },
  '&[data-busy]': { paddingRight: 32 },
  '&:hover': { borderColor: theme.vars.palette.text.primary },
  '&:focus-visible': {
    outline: `2px solid ${theme.vars.palette.primary.main}`,
    outlineOffset: -1,
    borderColor: theme.vars.palette.primary.main,
  },
  '&[aria-invalid]': { borderColor: theme.vars.palette.error.main, borderWidth: 2, paddingLeft: 9 },
  '&[aria-invalid]:focus-visible': { outlineColor: theme.vars.palette.error.main },
}));

export const Spin = styled('span')(({ theme }) => ({
  position: 'absolute',
  right: 10,
  bottom: 12,
  lineHeight: 0,
  color: theme.vars.palette.text.secondary,
}));

export const ErrorText = styled('span')(({ theme }) => ({
  display: 'flex',
  gap: 4,
  alignItems: 'flex-start',
  marginTop: 4,
  color: theme.vars.palette.error.main,
  fontSize: theme.typography.body2.fontSize,
  lineHeight: '18px',
  overflowWrap: 'anywhere',
  '& svg': { flex: 'none', marginTop: 2 },
}));

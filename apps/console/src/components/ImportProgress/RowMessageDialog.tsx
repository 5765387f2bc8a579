import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { AppDialog } from '../Dialogs/AppDialog.tsx';
import type { NumberedRow } from './row-messages.ts';
import { texts } from './texts.ts';

export interface RowMessageDialogProps {
  open: boolean;
  row: NumberedRow;
  onClose: () => void;
}

/** One complete row of the administrator's file: its message, and every column. */
export function RowMessageDialog({ open, row, onClose }: RowMessageDialogProps) {
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      title={texts.rowTitle(row.row, row.file)}
      actions={
        <Button variant="contained" onClick={onClose} autoFocus>
          {texts.close}
        </Button>
      }
    >
      <Box sx={{ display: 'grid', gap: 2, overflowWrap: 'anywhere' }}>
        {[...new Set(row.messages)].map((message) => (
          <Typography key={message} variant="h3" component="p">
            {message}
          </Typography>
        ))}
        {row.cells === null ? (
          <Typography color="textSecondary">{texts.rowUnknown}</Typography>
        ) : (
          <Box
            component="dl"
            sx={{
              display: 'grid',
              gridTemplateColumns: 'minmax(96px, auto) minmax(0, 1fr)',
              columnGap: 2,
              rowGap: 0.5,
              m: 0,
              '& dt': { color: 'text.secondary' },
              '& dd': { m: 0 },
            }}
          >
            {row.cells.map(([name, value], at) => (
              // Names in a header can be empty, so the index is the key.
              // oxlint-disable-next-line react/no-array-index-key
              <Box key={at} sx={{ display: 'contents' }}>
                <dt>{name}</dt>
                <dd>{value === '' ? texts.emptyCell : value}</dd>
              </Box>
            ))}
          </Box>
        )}
      </Box>
    </AppDialog>
  );
}

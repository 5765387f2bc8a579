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

/** One row of the admin's file in full: what is wrong with it, every column, and the very words of the LMS. */
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
        <Typography variant="h3" component="p">
          {row.plain}
        </Typography>
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
            {row.cells.map(([name, value]) => (
              <Box key={name} sx={{ display: 'contents' }}>
                <dt>{name}</dt>
                <dd>{value === '' ? texts.emptyCell : value}</dd>
              </Box>
            ))}
          </Box>
        )}
        <Box>
          <Typography variant="body2" color="textSecondary">
            {texts.wordsOfLms}
          </Typography>
          {row.messages.map((message) => (
            <Typography key={message}>{message}</Typography>
          ))}
        </Box>
      </Box>
    </AppDialog>
  );
}

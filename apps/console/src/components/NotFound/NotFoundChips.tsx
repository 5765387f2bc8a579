import { messages } from '@lms-admin/contract/messages';
import { grouped } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { AppDialog } from '../Dialogs/AppDialog.tsx';
import { NameList } from '../NameList/NameList.tsx';
import { texts } from './texts.ts';

/** Maximum number of chips; the others are in a separate list. */
const MOST_CHIPS = 24;

export interface NotFoundChipsProps {
  /** Email addresses or SIS IDs. */
  names: readonly string[];
  /** The place where the people were not found, such as the name of a section. */
  of?: string;
  /** A button that resolves the problem. */
  action?: ReactNode;
}

/** The chips 'User Not Found' of a review (CE-15, SE-05). */
export function NotFoundChips({ names, of, action }: NotFoundChipsProps) {
  const [all, setAll] = useState(false);
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h3" component="p" sx={{ mb: 1 }}>
        {messages.enrollment.userNotFound} ({grouped(names.length)}){of ? `: ${of}` : ''}
      </Typography>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 0, listStyle: 'none' }}>
        {names.slice(0, MOST_CHIPS).map((name) => (
          <li key={name}>
            <Chip
              label={name}
              variant="outlined"
              sx={{
                bgcolor: 'surface.warning',
                borderColor: 'warning.main',
                height: 'auto',
                minHeight: 32,
                '& .MuiChip-label': { whiteSpace: 'normal', overflowWrap: 'anywhere' },
              }}
            />
          </li>
        ))}
        {names.length > MOST_CHIPS && (
          <li>
            <Button size="small" onClick={() => setAll(true)}>
              {texts.showAll(names.length)}
            </Button>
          </li>
        )}
      </Box>
      {action !== undefined && <Box sx={{ mt: 1.5 }}>{action}</Box>}
      <AppDialog
        open={all}
        onClose={() => setAll(false)}
        title={messages.enrollment.userNotFound}
        actions={
          <Button variant="contained" autoFocus onClick={() => setAll(false)}>
            {messages.enrollment.close}
          </Button>
        }
      >
        <NameList names={names} label={texts.list} height={300} />
      </AppDialog>
    </Box>
  );
}

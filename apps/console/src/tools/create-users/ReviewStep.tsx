import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { texts } from './texts.ts';
import { UsersTable } from './UsersTable.tsx';
import type { UsersStep } from './useUsersWork.ts';

/** Step 'Final Review': what will happen, and the same table (CU-07). */
export function ReviewStep({ state: { rows } }: UsersStep) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <Box>
        <Typography variant="h3" component="p">
          {texts.review(rows.length, createUsersMessages.submit)}
        </Typography>
        <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '68ch' }}>
          {texts.reviewNote}
        </Typography>
      </Box>
      <UsersTable rows={rows} label={texts.preview} />
    </Box>
  );
}

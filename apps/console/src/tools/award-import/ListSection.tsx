import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { listQuery, updatedQuery } from '../../api/awards.ts';
import { useProfile } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { momentFormat } from '../../components/moments.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';
import { ListTable } from './ListTable.tsx';
import { LIST_HEADING } from './list-heading.ts';
import { PreviousList } from './PreviousList.tsx';
import { texts } from './texts.ts';
import { UploadArea } from './UploadArea.tsx';
import { useErrorToast } from './useErrorToast.ts';

const words = awardImportMessages;

/** The current list of professors and courses, and the ways to replace it (BTA-27 to BTA-37). */
export function ListSection({ show }: Pick<ToastsWork, 'show'>) {
  const { time_zone } = useProfile().userProfile;
  const list = useQuery(listQuery);
  const updated = useQuery(updatedQuery);
  useErrorToast(updated.error, updated.errorUpdatedAt, words.failed.lastUpdated, show);
  useErrorToast(list.error, list.errorUpdatedAt, words.failed.list, show);
  const last = updated.data?.[0] ?? null;
  return (
    <Paper sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Typography
          id={LIST_HEADING}
          variant="h2"
          tabIndex={-1}
          sx={{ fontSize: '1.25rem', '&:focus': { outline: 'none' } }}
        >
          {words.list}
        </Typography>
        <Facts
          label={texts.about}
          facts={[
            [texts.updatedAt, momentFormat(time_zone)(last?.updated_at ?? null)],
            [texts.updatedBy, last?.updated_by ?? '–'],
          ]}
        />
      </Box>
      <UploadArea show={show} />
      <PreviousList show={show} />
      {list.error !== null && list.data === undefined ? (
        <ErrorState error={list.error} title={words.failed.list} onRetry={() => void list.refetch()} />
      ) : (
        <ListTable rows={list.data} />
      )}
    </Paper>
  );
}

import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import { toolById } from '@lms-admin/contract/tools';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { ChevronLeftIcon } from '../../components/Icons.tsx';
import { Toasts } from '../../components/Toast/Toasts.tsx';
import { useToasts } from '../../components/Toast/useToasts.ts';
import { ListSection } from './ListSection.tsx';
import { OpeningSection } from './OpeningSection.tsx';

const REPORTS = toolById('award-reports').path ?? '/';

/** Best Teaching Award Report Data Configuration: the opening date, and the list for the votes (area BTA). */
export default function AwardImport() {
  const { toasts, show, close } = useToasts();
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start' }}>
        <Typography variant="h1" tabIndex={-1} sx={{ flex: '1 1 320px' }}>
          {awardImportMessages.title}
        </Typography>
        <Button
          variant="outlined"
          color="inherit"
          component={Link}
          to={REPORTS}
          startIcon={<ChevronLeftIcon size={18} />}
        >
          {awardImportMessages.back}
        </Button>
      </Box>
      <OpeningSection show={show} />
      <ListSection show={show} />
      <Toasts toasts={toasts} onClose={close} />
    </Box>
  );
}

import { toolById } from '@lms-admin/contract/tools';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { openDraftsQuery } from '../../api/sis-drafts.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { texts } from './texts.ts';

const { path } = toolById('sis-import');

/** Leads to SIS files that are being corrected: they are no work that goes on, so the list below does not have them. */
export function DraftsNotice() {
  const { data: drafts = [] } = useQuery(openDraftsQuery);
  if (drafts.length === 0) return null;
  return (
    <Notice
      tone="info"
      title={texts.drafts.title(drafts.length)}
      action={
        <Link component={RouterLink} to={path ?? '/'}>
          {texts.drafts.open}
        </Link>
      }
    >
      <Typography>{texts.drafts.text}</Typography>
    </Notice>
  );
}

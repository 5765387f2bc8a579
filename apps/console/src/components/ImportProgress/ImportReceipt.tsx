import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { COUNT_NAMES } from '@lms-admin/domain/import-states';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { CancelledIcon, CheckIcon, OutIcon, StopIcon } from '../Icons.tsx';
import { ImportedItems } from './ImportedItems.tsx';
import { ImportMessages } from './ImportMessages.tsx';
import { appliedTotal, joinedTexts, wasCalledBack } from './import-watch.ts';
import { texts } from './texts.ts';

export interface ImportReceiptProps {
  one: SisImport;
  end: 'done' | 'partly' | 'failed';
  /** Whether the messages for single rows are listed. */
  rows: boolean;
}

/** What an import that has ended did and did not do, with the figures, and what to do about the rest. */
export function ImportReceipt({ one, end, rows }: ImportReceiptProps) {
  const applied = appliedTotal(one, COUNT_NAMES);
  if (end === 'done')
    return (
      <>
        <Alert severity="success" icon={<CheckIcon />}>
          {texts.done(one.rows)}
          {one.note !== null && ` ${one.note}`}
        </Alert>
        <ImportedItems of={one} />
      </>
    );
  const joined = joinedTexts(one);
  if (wasCalledBack(one))
    return (
      <Alert severity="info" icon={<CancelledIcon />}>
        {joined}
      </Alert>
    );
  // Nothing to point at where there is no message; a note of ours says itself what to do.
  const silent = joined === '' && one.errors_attachment === null;
  return (
    <>
      <Alert severity="error" icon={<StopIcon />}>
        <AlertTitle>{messages.import.error}</AlertTitle>
        {joined !== '' && <Box sx={{ overflowWrap: 'anywhere' }}>{joined}</Box>}
        {one.errors_attachment !== null && (
          <Link
            href={one.errors_attachment.url}
            target="_blank"
            rel="noopener noreferrer"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, mt: 1, color: 'inherit' }}
          >
            {messages.import.download}
            <OutIcon size={16} />
          </Link>
        )}
        {one.errors_attachment === null && one.attachment_pending && (
          <Box sx={{ mt: 1 }}>{texts.attachmentPending}</Box>
        )}
      </Alert>
      <Box>
        <Typography variant="h3" component="p">
          {end === 'partly' ? texts.partly(applied, one.rows) : texts.failed(applied, one.rows)}
        </Typography>
        {(!silent || one.note === null) && (
          <Typography sx={{ maxWidth: '68ch' }}>{silent ? texts.nextSilent : texts.next[end]}</Typography>
        )}
        {one.note !== null && <Typography sx={{ maxWidth: '68ch' }}>{one.note}</Typography>}
      </Box>
      <ImportedItems of={one} />
      {rows && <ImportMessages id={one.id} />}
    </>
  );
}

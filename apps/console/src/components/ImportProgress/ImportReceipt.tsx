import type { SisImport } from '@lms-admin/contract/imports';
import { messages } from '@lms-admin/contract/messages';
import { wasBrokenOff } from '@lms-admin/domain/import-verdict';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useHasTool } from '../../api/session.ts';
import { CheckIcon, StopIcon, WarningIcon } from '../Icons.tsx';
import { CancelledIcon, DownloadIcon } from '../WorkIcons.tsx';
import { ImportedItems } from './ImportedItems.tsx';
import { ImportMessages } from './ImportMessages.tsx';
import {
  endedQuietly,
  joinedTexts,
  notInLms,
  type Outcome,
  titleOf,
  whatNext,
  whatWasApplied,
} from './import-watch.ts';
import { texts } from './texts.ts';

export interface ImportReceiptProps {
  one: SisImport;
  end: Exclude<Outcome, 'running'>;
  /** Whether messages about individual rows are listed. */
  rows: boolean;
}

/** The result of a finished import, in figures, and what to do about the rest. */
export function ImportReceipt({ one, end, rows }: ImportReceiptProps) {
  const canSearch = useHasTool('search-users');
  if (end === 'done')
    return (
      <>
        <Alert severity="success" icon={<CheckIcon />}>
          {/* If nothing had to be sent, the note says why. */}
          {[one.rows === 0 ? null : texts.done(one.rows), one.note].filter(Boolean).join(' ')}
        </Alert>
        <ImportedItems of={one} />
      </>
    );
  // Each row's message says why the row was skipped.
  const leftOut = one.nothing_sent && one.rows === 0 && rows;
  const joined = leftOut ? '' : joinedTexts(one);
  if (end === 'cancelled')
    return (
      <Alert severity="info" icon={<CancelledIcon />}>
        {joined}
      </Alert>
    );
  const applied = whatWasApplied(one);
  const quietly = endedQuietly(one) || one.nothing_sent;
  const next = whatNext(one, canSearch);
  // The note would repeat why nothing was sent.
  const note = one.nothing_sent ? null : one.note;
  return (
    <>
      <Alert severity={quietly ? 'warning' : 'error'} icon={quietly ? <WarningIcon /> : <StopIcon />}>
        <AlertTitle>{titleOf(one)}</AlertTitle>
        {joined !== '' ? (
          <Box sx={{ overflowWrap: 'anywhere' }}>{joined}</Box>
        ) : (
          // The title alone would name neither the result nor the next step.
          <Box>{[applied, next, note].filter(Boolean).join(' ')}</Box>
        )}
        <Attachment of={one} />
      </Alert>
      <Box>
        {joined !== '' && applied !== '' && (
          <Typography variant="h3" component="p">
            {applied}
          </Typography>
        )}
        {joined !== '' && next !== null && <Typography sx={{ maxWidth: '68ch' }}>{next}</Typography>}
        {joined !== '' && note !== null && <Typography sx={{ maxWidth: '68ch' }}>{note}</Typography>}
      </Box>
      {/* The LMS counts whole files: if it stopped in the middle of one, the figures would be wrong. */}
      {!wasBrokenOff(one.workflow_state) && <ImportedItems of={one} />}
      {/* If the import is not in the LMS, only skipped rows have messages, and the note names those rows. */}
      {rows && !(notInLms(one) && note === null) && <ImportMessages id={one.id} tool={one.tool} />}
    </>
  );
}

/** The LMS's own error file, or a note that it will follow. */
function Attachment({ of: { errors_attachment: file, attachment_pending: pending } }: { of: SisImport }) {
  if (file === null) return pending && <Box sx={{ mt: 1 }}>{texts.attachmentPending}</Box>;
  return (
    <Link
      href={file.url}
      download
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, mt: 1, color: 'inherit' }}
    >
      {messages.import.download}
      <DownloadIcon size={16} />
    </Link>
  );
}

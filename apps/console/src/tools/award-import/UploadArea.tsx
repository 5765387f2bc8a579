import { MAX_AWARD_FILE_BYTES } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { FileDrop } from '../../components/CsvFile/FileDrop.tsx';
import { FilePicker } from '../../components/CsvFile/FilePicker.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { WarningIcon } from '../../components/Icons.tsx';
import { JobProgress } from '../../components/Job/JobProgress.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import { ListReview } from './ListReview.tsx';
import { isOfTheFile } from './list-check.ts';
import { texts } from './texts.ts';
import { type ListUpload, useListUpload } from './useListUpload.ts';

const words = awardImportMessages;
/** A file served by the console itself (OP-92). */
const TEMPLATE = `/${words.templateFile}`;
const PICKER = 'award-file';
const picker = () => document.getElementById(PICKER);

/** Template and upload (BTA-30, BTA-31), and the result for the chosen file. */
export function UploadArea({ show }: Pick<ToastsWork, 'show'>) {
  const upload = useListUpload();
  const { state, refusal, lost } = upload;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <FileDrop label={texts.drop.label} low onFiles={upload.take}>
        <Typography>{texts.drop.here}</Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, justifyContent: 'center' }}>
          <Button
            variant="outlined"
            component="a"
            href={TEMPLATE}
            download={words.templateFile}
            startIcon={<DownloadIcon size={18} />}
          >
            {words.template}
          </Button>
          <FilePicker
            id={PICKER}
            label={words.upload}
            accept=".xls,.xlsx,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            primary={state.at === 'none'}
            onFiles={upload.take}
          />
        </Box>
        <Typography variant="body2" color="textSecondary">
          {texts.drop.limit(MAX_AWARD_FILE_BYTES)}
        </Typography>
      </FileDrop>
      {refusal !== null && <Notice tone="warning" title={refusal} />}
      {lost !== null && <Notice tone="warning" title={texts.drop.lost(lost)} />}
      <Outcome upload={upload} show={show} />
      <NotValid upload={upload} />
    </Box>
  );
}

function Outcome({ upload, show }: { upload: ListUpload } & Pick<ToastsWork, 'show'>) {
  const { state } = upload;
  switch (state.at) {
    case 'none':
      return null;
    case 'sending': {
      const stage = (state.percent === null ? texts.upload.checking : texts.upload.sending)(state.name);
      return (
        <JobProgress
          stage={stage}
          bar={{ label: stage, percent: state.percent }}
          facts={[texts.upload.nothing]}
          cancel={
            <Button
              size="small"
              color="inherit"
              variant="outlined"
              onClick={() => {
                upload.discard();
                picker()?.focus();
              }}
            >
              {texts.upload.cancel}
            </Button>
          }
        />
      );
    }
    case 'failed': {
      const final = isOfTheFile(state.error);
      return (
        <ErrorState
          error={state.error}
          // The server uses the documented title, and explains the problem beside it.
          {...(!final && {
            title: texts.upload.failed,
            onRetry: upload.retry,
            retryLabel: texts.upload.retry,
          })}
          reference={!final}
        >
          <Typography>{texts.upload.stays}</Typography>
        </ErrorState>
      );
    }
    case 'checked':
      return (
        <ListReview
          key={state.check.version}
          name={state.name}
          check={state.check}
          show={show}
          onRetry={upload.retry}
          onDone={upload.discard}
        />
      );
  }
}

/** The documented dialog, with the reason why the template is not valid (BTA-33, BTA-35). */
function NotValid({ upload }: { upload: ListUpload }) {
  const { notValid, seen } = upload;
  return (
    <AppDialog
      open={notValid !== null}
      onClose={seen}
      role="alertdialog"
      maxWidth="xs"
      title={words.warning}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      returnFocus={picker}
      actions={
        <Button variant="contained" autoFocus onClick={seen}>
          {words.ok}
        </Button>
      }
    >
      <Typography variant="h3" component="p">
        {words.notValid}
      </Typography>
      {notValid !== null && (
        <Typography sx={{ mt: 1 }}>
          {notValid.message} {notValid.next}
        </Typography>
      )}
    </AppDialog>
  );
}

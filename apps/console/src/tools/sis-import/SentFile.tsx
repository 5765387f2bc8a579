import type { SisImport } from '@lms-admin/contract/imports';
import { toolById } from '@lms-admin/contract/tools';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useProfile } from '../../api/session.ts';
import { openDraftsQuery } from '../../api/sis-drafts.ts';
import { momentFormat } from '../../components/moments.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { handOver } from '../../components/Wizard/hand-over.ts';
import { ComparedFile } from './Compared.tsx';
import { handedDraft } from './handed-draft.ts';
import type { ContinuedDraft } from './sis-state.ts';
import { texts } from './texts.ts';
import type { SisStep } from './useSisWork.ts';

const words = texts.drafts.back;

/** The result for the file of the wizard. */
export function SentFile({ state, dispatch, of }: Pick<SisStep, 'state' | 'dispatch'> & { of: SisImport }) {
  return (
    <>
      {of.final && <Reopened of={of} onContinue={(draft) => dispatch({ type: 'continue', draft })} />}
      <ComparedFile file={state.submission.key} of={of} />
    </>
  );
}

/** The result for the file of an import, in Activity: both have the same ID. */
export function SentFileOfImport({ of }: { of: SisImport }) {
  const navigate = useNavigate();
  function toWizard(draft: ContinuedDraft) {
    handOver('sis-import', handedDraft(draft));
    void navigate(toolById('sis-import').path ?? '/');
  }
  return (
    <>
      {of.final && <Reopened of={of} onContinue={toWizard} />}
      <ComparedFile file={of.id} of={of} />
    </>
  );
}

/** A link back to the corrections of a file from which no rows were applied; renders nothing for other imports. */
function Reopened({ of, onContinue }: { of: SisImport; onContinue: (draft: ContinuedDraft) => void }) {
  const moment = momentFormat(useProfile().userProfile.time_zone);
  const { data: drafts = [] } = useQuery(openDraftsQuery);
  const draft = drafts.find((one) => one.import === of.id);
  if (draft === undefined) return null;
  return (
    <Notice
      tone="info"
      title={words.title}
      action={
        <Button size="small" variant="outlined" color="inherit" onClick={() => onContinue(draft)}>
          {words.open}
        </Button>
      }
    >
      <Typography>{words.text(moment(draft.expires_at))}</Typography>
    </Notice>
  );
}

import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile } from '@lms-admin/contract/sis-files';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { z } from 'zod';
import { postJson } from '../../api/client.ts';
import { useWrite } from '../../api/useWrite.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { failingRows } from './effect-words.ts';
import { texts } from './texts.ts';

const { failing: words } = texts.review;
const opened = z.object({ draft: z.uuid() });

export interface FailingProps {
  file: SisFile;
  effect: SisEffect;
  /** @param draft in which these rows are mended */
  onMend: (draft: string) => void;
}

/** Rows that the LMS would refuse: mended in place before they are sent, as those that the check refuses. */
export function Failing({ file, effect, onMend }: FailingProps) {
  const open = useWrite({
    mutationFn: () =>
      postJson(ENDPOINTS.sisEffectDraft.replace(':file', encodeURIComponent(file.id)), {}, opened),
    onSuccess({ draft }) {
      // The button of the press goes away with it.
      focusStep();
      onMend(draft);
    },
  });
  const rows = failingRows(effect);
  if (rows === 0) return null;
  return (
    <>
      <Notice
        tone="warning"
        title={words.title(rows)}
        {...(!file.zip && {
          action: (
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              disabled={open.isPending}
              onClick={() => open.write()}
            >
              {open.isPending ? words.opening : words.open}
            </Button>
          ),
        })}
      >
        <Typography>{file.zip ? words.zip : words.text}</Typography>
      </Notice>
      {open.error !== null && (
        <ErrorState error={open.error} title={words.failed} onRetry={() => open.write()} />
      )}
    </>
  );
}

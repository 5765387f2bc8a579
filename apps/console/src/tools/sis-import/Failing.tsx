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

const { failing, notFound } = texts.review;
const opened = z.object({ draft: z.uuid() });

export interface FailingProps {
  file: SisFile;
  effect: SisEffect;
  /** @param draft in which these rows are corrected */
  onCorrect: (draft: string) => void;
}

/** Rows that the LMS would reject, or whose records it does not have: corrected in place before sending. */
export function Failing({ file, effect, onCorrect }: FailingProps) {
  const [refused, unknown] = [failingRows(effect), effect.not_found];
  return (
    <>
      {refused > 0 && (
        <Correctable which="fails" rows={refused} words={failing} file={file} onCorrect={onCorrect} />
      )}
      {unknown > 0 && (
        <Correctable which="unknown" rows={unknown} words={notFound} file={file} onCorrect={onCorrect} />
      )}
    </>
  );
}

interface CorrectableProps extends Pick<FailingProps, 'file' | 'onCorrect'> {
  which: 'fails' | 'unknown';
  rows: number;
  words: typeof failing | typeof notFound;
}

function Correctable({ which, rows, words, file, onCorrect }: CorrectableProps) {
  const open = useWrite({
    mutationFn: () =>
      postJson(
        `${ENDPOINTS.sisEffectDraft.replace(':file', encodeURIComponent(file.id))}?rows=${which}`,
        {},
        opened,
      ),
    onSuccess({ draft }) {
      // The pressed button disappears.
      focusStep();
      onCorrect(draft);
    },
  });
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
              {open.isPending ? failing.opening : words.open}
            </Button>
          ),
        })}
      >
        <Typography>{file.zip ? words.zip : words.text}</Typography>
      </Notice>
      {open.error !== null && (
        <ErrorState error={open.error} title={failing.failed} onRetry={() => open.write()} />
      )}
    </>
  );
}

import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { RetryIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { texts } from './texts.ts';
import type { UsersStep } from './useUsersWork.ts';

/** Notices about rows that exist in the LMS or could not be looked up, with what to do about them. */
export function RowNotices(props: Pick<UsersStep, 'work' | 'dispatch'> & { last: number | undefined }) {
  const { work, last, dispatch } = props;
  const { form } = work;
  // The last row has a button of its own.
  const leavable = form.existing.length > 1 || form.existing.some((id) => id !== last);
  if (form.failed === 0 && !leavable) return null;
  return (
    <>
      {form.failed > 0 && (
        <Notice
          tone="warning"
          title={texts.failedTitle(form.failed)}
          action={
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              startIcon={<RetryIcon size={16} />}
              onClick={() => {
                // The notice disappears with its button.
                focusStep();
                work.retry();
              }}
            >
              {texts.retry}
            </Button>
          }
        >
          <Typography>
            {work.failure === null
              ? texts.failedText
              : `${work.failure.message} ${work.failure.next} ${texts.failedMeaning}`}
          </Typography>
        </Notice>
      )}
      {leavable && (
        <Notice
          tone="warning"
          title={texts.existingTitle(form.existing.length)}
          action={
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              onClick={() => {
                focusStep();
                dispatch({ type: 'leave-out', ids: form.existing });
              }}
            >
              {texts.leaveOut(form.existing.length)}
            </Button>
          }
        >
          <Typography>{texts.existingText(form.existing.length)}</Typography>
        </Notice>
      )}
    </>
  );
}

import type { AddedWith } from '@lms-admin/contract/enrollments';
import Typography from '@mui/material/Typography';
import { Named } from '../Notice/Named.tsx';
import { Notice } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

interface AdditionNoticesProps {
  with: AddedWith | null;
  /** Additional text about the observers. */
  text?: string;
}

/** Observers whom the LMS enrols, or changes, together with the students of a plan. */
export function AdditionNotices({ with: along, text }: AdditionNoticesProps) {
  if (along === null) return null;
  const { observers, who, unread } = along;
  return (
    <>
      {observers > 0 && (
        <Named
          tone="info"
          title={texts.comeAlong(observers)}
          text={text ?? texts.comeAlongText}
          lines={who.map(texts.comeAlongLine)}
        />
      )}
      {unread > 0 && (
        <Notice tone="warning" title={texts.comeUnreadTitle(unread)}>
          <Typography>{texts.comeUnreadText}</Typography>
        </Notice>
      )}
    </>
  );
}

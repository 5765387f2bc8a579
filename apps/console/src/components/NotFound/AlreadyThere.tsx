import { WHY_THERE, type WhyThere } from '@lms-admin/contract/enrollments';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useHasTool } from '../../api/session.ts';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

export interface AlreadyThereProps {
  people: readonly { email: string; why: WhyThere }[];
  /** Button that looks the people up again, in case their SIS ID has been set in the meantime. */
  retry?: ReactNode;
}

/**
 * People who were not found although the LMS has them: what is missing, and who can correct it. They are not created.
 */
export function AlreadyThere({ people, retry }: AlreadyThereProps) {
  const canSearch = useHasTool('search-users');
  return WHY_THERE.map((why) => {
    const emails = people.filter((one) => one.why === why).map(({ email }) => email);
    if (emails.length === 0) return null;
    return (
      <Notice
        key={why}
        tone="warning"
        title={texts.there[why].title(emails.length)}
        {...(why === 'no-sis-id' && retry !== undefined ? { action: retry } : {})}
      >
        <Typography>{texts.there[why].text(canSearch, emails.length)}</Typography>
        <ShortList items={emails} more={texts.more} />
      </Notice>
    );
  });
}

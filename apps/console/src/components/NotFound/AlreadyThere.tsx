import { WHY_THERE, type WhyThere } from '@lms-admin/contract/enrollments';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useHasTool } from '../../api/session.ts';
import { Notice, ShortList } from '../Notice/Notice.tsx';
import { texts } from './texts.ts';

export interface AlreadyThereProps {
  people: readonly { email: string; why: WhyThere }[];
  /** Looks again, for those whose SIS ID has been set meanwhile. */
  again?: ReactNode;
}

/** People who were not found although the LMS has them: what is missing, and who can put it right. They are not created. */
export function AlreadyThere({ people, again }: AlreadyThereProps) {
  const canSearch = useHasTool('search-users');
  return WHY_THERE.map((why) => {
    const those = people.filter((one) => one.why === why).map(({ email }) => email);
    if (those.length === 0) return null;
    return (
      <Notice
        key={why}
        tone="warning"
        title={texts.there[why].title(those.length)}
        {...(why === 'no-sis-id' && again !== undefined ? { action: again } : {})}
      >
        <Typography>{texts.there[why].text(canSearch)}</Typography>
        <ShortList items={those} more={texts.more} />
      </Notice>
    );
  });
}

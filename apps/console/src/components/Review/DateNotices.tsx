import type { Dated } from '@lms-admin/contract/enrollments';
import { useProfile } from '../../api/session.ts';
import { momentFormat } from '../moments.ts';
import { Named } from '../Notice/Named.tsx';
import { texts } from './texts.ts';

interface DateNoticesProps {
  /** Parts of a plan, each with the name of its course. */
  parts: readonly { course: string; dates_end: readonly Dated[]; dates_set?: readonly Dated[] }[];
}

/** People whose own enrolment dates are cleared by a change, and people whose dates are restored by an undo. */
export function DateNotices({ parts }: DateNoticesProps) {
  const { time_zone } = useProfile().userProfile;
  const moment = momentFormat(time_zone);
  const linesOf = (which: (part: DateNoticesProps['parts'][number]) => readonly Dated[]) =>
    parts.flatMap((part) =>
      which(part).map(({ person, section, start, end }) =>
        texts.datesLine(person, section || part.course, start && moment(start), end && moment(end)),
      ),
    );
  const ending = linesOf((part) => part.dates_end);
  const set = linesOf((part) => part.dates_set ?? []);
  return (
    <>
      {ending.length > 0 && (
        <Named
          tone="warning"
          title={texts.datesEndTitle(ending.length)}
          text={texts.datesEndText}
          lines={ending}
        />
      )}
      {set.length > 0 && (
        <Named tone="info" title={texts.datesSetTitle(set.length)} text={texts.datesSetText} lines={set} />
      )}
    </>
  );
}

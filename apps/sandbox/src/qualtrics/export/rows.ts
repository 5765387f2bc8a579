/** The responses in an export, in order (Qualtrics reference §4, §6). */

import { FILTERS } from '../seed/surveys.ts';
import type { ExportJob, SurveyResponse } from '../store/model.ts';

/**
 * @param all every response that the survey has ever had
 * @param job selects responses, and the revision to use
 */
export function rowsOf(
  all: readonly SurveyResponse[],
  { options, revision, since }: ExportJob,
): SurveyResponse[] {
  const { startDate, endDate, filterId, limit, sortByLastModifiedDate, exportResponsesInProgress } = options;
  const filter = FILTERS.find((known) => known.filterId === filterId);
  const timeOf = (response: SurveyResponse) =>
    sortByLastModifiedDate ? response.modified : (response.recorded ?? response.modified);
  const rows = all.filter((response) => {
    const { from, until, recorded } = response;
    if (from > revision || (until !== null && until <= revision)) return false;
    if (since !== null && from <= since) return false;
    if ((recorded === null) !== exportResponsesInProgress) return false;
    const at = timeOf(response);
    if ((startDate !== null && at < startDate) || (endDate !== null && at >= endDate)) return false;
    return filter?.takes(response) ?? true;
  });
  rows.sort((a, b) => timeOf(a) - timeOf(b));
  return limit === null ? rows : rows.slice(0, limit);
}

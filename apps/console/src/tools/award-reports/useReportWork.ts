import { type AwardCampus, offeredCampuses } from '@lms-admin/domain/award-campuses';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AwardChoice, campusesQuery, openingQuery } from '../../api/awards.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import { choiceOf, type ReportAction, type ReportState } from './report-state.ts';

export interface ReportWork {
  /** The request for the report. */
  choice: AwardChoice;
  offered: readonly AwardCampus[];
  /** `2026-03-05`; null while none is set, undefined while it is unknown. */
  opening: string | null | undefined;
}

/** Props of a step of the reports. */
export type ReportStep = StepProps<ReportState, ReportAction, ReportWork>;

/** Loads the data that the setup needs; if it cannot be read, nothing is shown (BTA-55). */
export function useReportWork({ view, campus, type }: ReportState): ReportWork {
  const opening = useQuery(openingQuery);
  const campuses = useQuery(campusesQuery);
  const offered = useMemo(() => offeredCampuses(campuses.data ?? []), [campuses.data]);
  return {
    choice: useMemo(() => choiceOf({ view, campus, type }, offered), [view, campus, type, offered]),
    offered,
    opening: opening.data && (opening.data[0]?.opening_date ?? null),
  };
}

import { type AwardCampus, offeredCampuses } from '@lms-admin/domain/award-campuses';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AwardChoice, campusesQuery, openingQuery } from '../../api/awards.ts';
import type { StepProps } from '../../components/Wizard/wizard-definition.ts';
import { choiceOf, type ReportAction, type ReportState } from './report-state.ts';

export interface ReportWork {
  /** What the report is asked for. */
  choice: AwardChoice;
  offered: readonly AwardCampus[];
  /** `2026-03-05`; null while none is set, undefined while no one knows. */
  opening: string | null | undefined;
}

/** What a step of the reports is given. */
export type ReportStep = StepProps<ReportState, ReportAction, ReportWork>;

/** What the setup needs to know; where it cannot be found out, nothing is said (BTA-55). */
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

/** Kinds of jobs that make plans for Course Enrollment and Section Enrollment. */

import { planRequest, sectionPlanRequest, undoRequest } from '@lms-admin/contract/enrollments';
import { COURSE_PLAN, SECTION_PLAN, UNDO_KINDS } from '@lms-admin/contract/plan-kinds';
import type { ActFor } from '../access/acting.ts';
import type { StartableKind } from '../jobs/start.ts';
import { planKind, type ShownStep } from '../plans/kind.ts';
import type { PlanStep } from './plan-progress.ts';
import type { Plans } from './plans.ts';
import type { SectionPlans } from './section-plans.ts';
import type { Undo, UndoTool } from './undo.ts';

const LOOKING_UP = 'Looking up people';

/** Returns the kinds for both types of plans and for undoing their imports. */
export function planKinds(parts: {
  plans: Plans;
  sectionPlans: SectionPlans;
  undo: Readonly<Record<UndoTool, Undo>>;
  actFor: ActFor;
}): StartableKind[] {
  const { actFor } = parts;
  return [
    planKind({
      id: COURSE_PLAN,
      tool: 'course-enrollment',
      input: planRequest,
      takesList: true,
      begins: LOOKING_UP,
      planner: parts.plans,
      shown: shownIn('courses'),
      actFor,
    }),
    planKind({
      id: SECTION_PLAN,
      tool: 'section-enrollment',
      input: sectionPlanRequest,
      takesList: true,
      begins: LOOKING_UP,
      planner: parts.sectionPlans,
      shown: shownIn('sections'),
      actFor,
    }),
    ...(['course-enrollment', 'section-enrollment'] as const).map((tool) =>
      planKind({
        id: UNDO_KINDS[tool],
        tool,
        input: undoRequest,
        begins: LOOKING_UP,
        planner: parts.undo[tool],
        shown: shownIn('sections'),
        actFor,
      }),
    ),
  ];
}

/** @param unit plural noun for what is read after the people */
function shownIn(unit: string) {
  return (step: PlanStep): ShownStep => {
    const [stage, units] = {
      people: [LOOKING_UP, 'people'] as const,
      places: [`Comparing with the ${unit}`, unit] as const,
      observers: ['Looking up observers', 'students'] as const,
    }[step.reading];
    return {
      stage,
      done: step.done,
      total: step.total,
      unit: units,
      figures: [
        ...(step.not_found > 0 ? [['not found', step.not_found] as [string, number]] : []),
        ...(step.failed > 0 ? [['could not be looked up', step.failed] as [string, number]] : []),
      ],
    };
  };
}

/** Kinds of the jobs that create plans. A plan has the id and the kind of its job. */
export const COURSE_PLAN = 'course-plan';
export const SECTION_PLAN = 'section-plan';
export const GROUP_PLAN = 'group-plan';
export const MEMBER_PLAN = 'group-member-plan';

/** Kinds that plan the undo of an import, by the tool of the import. */
export const UNDO_KINDS = {
  'course-enrollment': 'course-undo',
  'section-enrollment': 'section-undo',
  'group-enrollment': 'group-member-undo',
} as const;

export type PlanKind =
  | typeof COURSE_PLAN
  | typeof SECTION_PLAN
  | typeof GROUP_PLAN
  | typeof MEMBER_PLAN
  | (typeof UNDO_KINDS)[keyof typeof UNDO_KINDS];

/** Tools that create plans; each of their imports can be undone. */
export type PlanTool = keyof typeof UNDO_KINDS;

/** Returns whether an import of this tool can be undone. */
export function isUndoable(tool: string): tool is PlanTool {
  return Object.hasOwn(UNDO_KINDS, tool);
}

/** Ids of the fields that a warning leads to. */
export const FIELDS = { course: 'zoom-run-course', add: 'zoom-run-add' } as const;

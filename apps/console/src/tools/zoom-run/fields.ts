/** IDs of the fields that get the focus after a warning. */
export const FIELDS = { course: 'zoom-run-course', add: 'zoom-run-add' } as const;

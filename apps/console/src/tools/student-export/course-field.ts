/** ID of the field that names the course. */
export const COURSE_FIELD = 'student-export-course';

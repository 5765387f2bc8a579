/** Names and sizes of the courses with losses, as far as they are listed: known only once all rows are compared. */
import { courseName } from '../../canvas/resources/courses.ts';
import { answered } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { AT_ONCE } from './ask.ts';
import { activeOf } from './course-enrolments.ts';
import type { Evaluation } from './evaluation.ts';
import { MOST_NAMED } from './tally.ts';

/** @throws CanvasError when the token is refused */
export async function describeCourses({ asking, tally, courseEnrolments }: Evaluation): Promise<void> {
  const { losses } = tally;
  const open = losses
    .courses()
    .slice(0, MOST_NAMED)
    .filter(({ name, active }) => name === null || active === null);
  await mapLimited(open, AT_ONCE, async ({ id, name, active }) => {
    const [found, all] = await Promise.all([
      name === null ? answered(asking, () => courseName(asking, id)) : null,
      active === null ? courseEnrolments.read(id) : null,
    ]);
    losses.describe(id, {
      ...(found !== null && typeof found === 'object'
        ? { name: ownText(found.name), sisId: found.sis_course_id }
        : {}),
      ...(all !== null && typeof all === 'object' ? { active: activeOf(all) } : {}),
    });
  });
}

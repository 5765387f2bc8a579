/** Names and sizes of the courses that lose something, as far as they are named: known only once all rows are compared. */
import { z } from 'zod';
import { answered, one } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { ownText } from '../../platform/text.ts';
import { AT_ONCE, text } from './ask.ts';
import { activeOf } from './course-enrolments.ts';
import type { Judging } from './judging.ts';
import { MOST_NAMED } from './tally.ts';

const course = z.object({ name: z.string(), sis_course_id: text });

/** @throws CanvasError when the token is refused */
export async function describeCourses({ asking, tally, courseEnrolments }: Judging): Promise<void> {
  const { losses } = tally;
  const open = losses
    .courses()
    .slice(0, MOST_NAMED)
    .filter(({ name, active }) => name === null || active === null);
  await mapLimited(open, AT_ONCE, async ({ id, name, active }) => {
    const [found, all] = await Promise.all([
      name === null ? answered(asking, () => one(asking, `courses/${id}`, course)) : null,
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

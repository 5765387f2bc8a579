/**
 * SIS IDs for sections without one (OP-51). The review asks the LMS whether another section has the ID, so that it
 * can show the final one. The LMS does not show deleted sections, which keep their IDs, so conflicts with those only
 * appear on sending.
 */
import type { SectionTarget } from '@lms-admin/domain/enrollment-plan';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { suffixed } from './name-sections.ts';
import { sectionKey } from './plan-store.ts';
import { type Reading, readOrWhy, sectionBySisId } from './read-lms.ts';

/** Number of SIS IDs checked at once. */
const AT_ONCE = 8;
/** Maximum number of IDs tried for one section; each is longer than the one before. */
const MOST_TRIES = 3;

interface ToBeGiven {
  key: string;
  courseId: number;
  id: number | null;
  sisSectionId: string;
}

/**
 * Finds an unused ID for each section that needs one: no other section in the plan or the LMS has it. If the LMS does
 * not answer, the planned ID stays.
 * @param planned the sections with rows, in the order of the plan
 * @returns the key of each section and the ID found
 * @throws the signal's reason, or CanvasError if a token is refused
 */
export async function freeTargets(
  canvas: CanvasClient,
  planned: readonly { courseId: number; target: SectionTarget }[],
  reading: Reading,
): Promise<(courseId: number, target: SectionTarget) => SectionTarget> {
  const distinct = new Map<string, ToBeGiven>();
  for (const { courseId, target } of planned) {
    const key = sectionKey(courseId, target.sectionId);
    const { sectionId: id, sisSectionId } = target;
    if (target.assign) distinct.set(key, { key, courseId, id, sisSectionId });
  }
  const found = new Map<string, string>();
  let open = [...distinct.values()];
  for (let tries = 1; open.length > 0; tries++) {
    const tried = unlikeEachOther(open, new Set(found.values()));
    const taken = await mapLimited(
      tried,
      AT_ONCE,
      async (one) => tries <= MOST_TRIES && (await isTaken(canvas, one, reading)),
    );
    open = [];
    for (const [at, one] of tried.entries())
      if (taken[at]) open.push({ ...one, sisSectionId: suffixed(one) });
      else found.set(one.key, one.sisSectionId);
  }
  return (courseId, target) => {
    const sisSectionId = target.assign ? found.get(sectionKey(courseId, target.sectionId)) : undefined;
    return sisSectionId === undefined ? target : { ...target, sisSectionId };
  };
}

/** Makes the IDs unique: a section with a duplicate gets its number as a suffix. */
function unlikeEachOther(sections: readonly ToBeGiven[], used: Set<string>): ToBeGiven[] {
  return sections.map((section) => {
    let one = section;
    while (used.has(one.sisSectionId)) one = { ...one, sisSectionId: suffixed(one) };
    used.add(one.sisSectionId);
    return one;
  });
}

/** Returns whether another section already has the ID. */
async function isTaken(
  canvas: CanvasClient,
  { courseId, id, sisSectionId }: ToBeGiven,
  reading: Reading,
): Promise<boolean> {
  const what = { read: 'sections', of: 'this course' };
  const holder = await readOrWhy(what, reading.signal, () => sectionBySisId(canvas, sisSectionId, reading));
  if (holder === null) return false;
  // If the LMS hides the section from the admin, it still exists.
  if ('unread' in holder) return !holder.unanswered;
  // If the section was created in this course in the meantime, sending uses it.
  return id === null ? holder.course_id !== courseId : holder.id !== id;
}

/**
 * SIS IDs that sections are to be given (OP-51): at the review the LMS is asked whether another section has them already, so that the
 * review shows the id that is set on sending. The LMS does not show deleted sections, which keep theirs: only sending finds those.
 */
import type { SectionTarget } from '@lms-admin/domain/enrollment-plan';
import type { CanvasClient } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { suffixed } from './name-sections.ts';
import { sectionKey } from './plan-store.ts';
import { type Reading, readOrWhy, sectionBySisId } from './read-lms.ts';

/** SIS IDs asked about at once. */
const AT_ONCE = 8;
/** Longer and longer ids that are tried for one section. */
const MOST_TRIES = 3;

interface ToBeGiven {
  key: string;
  courseId: number;
  id: number | null;
  sisSectionId: string;
}

/**
 * Finds an id for each section that is to be given one: neither another one of the plan nor another one in the LMS has it. Where the LMS
 * does not answer, it stays as planned.
 * @param planned the sections that get rows, in the order of the plan
 * @returns what names a section of the plan, with the id that was found
 * @throws the signal's reason, or CanvasError when a token is refused
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

/** The sections with ids that are not the same: of two the second one gets its number. */
function unlikeEachOther(sections: readonly ToBeGiven[], used: Set<string>): ToBeGiven[] {
  return sections.map((section) => {
    let one = section;
    while (used.has(one.sisSectionId)) one = { ...one, sisSectionId: suffixed(one) };
    used.add(one.sisSectionId);
    return one;
  });
}

/** Whether another section has the id. */
async function isTaken(
  canvas: CanvasClient,
  { courseId, id, sisSectionId }: ToBeGiven,
  reading: Reading,
): Promise<boolean> {
  const what = { read: 'sections', of: 'this course' };
  const holder = await readOrWhy(what, reading.signal, () => sectionBySisId(canvas, sisSectionId, reading));
  if (holder === null) return false;
  // What the LMS does not let the admin see is there anyway.
  if ('unread' in holder) return !holder.unanswered;
  // One that is to be made, and was made meanwhile, is taken as it is on sending.
  return id === null ? holder.course_id !== courseId : holder.id !== id;
}

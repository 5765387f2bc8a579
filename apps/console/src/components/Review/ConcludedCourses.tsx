import { Named } from '../Notice/Named.tsx';
import { texts } from './texts.ts';

interface ConcludedCoursesProps {
  /** Parts of a plan: their course, and how many people are added to it. */
  parts: readonly { name: string; sis_course_id: string; concluded: boolean; add: number }[];
}

/** Concluded courses to which people are added; renders nothing if none. */
export function ConcludedCourses({ parts }: ConcludedCoursesProps) {
  const courses = new Map<string, { name: string; add: number }>();
  for (const { name, sis_course_id, concluded, add } of parts)
    if (concluded && add > 0)
      courses.set(sis_course_id, { name, add: add + (courses.get(sis_course_id)?.add ?? 0) });
  if (courses.size === 0) return null;
  return (
    <Named
      tone="warning"
      title={texts.concludedTitle(courses.size)}
      text={texts.concludedText}
      lines={[...courses].map(([sisId, { name, add }]) => texts.concluded(`${name} (${sisId})`, add))}
    />
  );
}

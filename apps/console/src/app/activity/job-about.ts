/** The subject of an entry of Activity. Pure. */
import type { Job } from '@lms-admin/contract/jobs';
import { joined } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

/** Describes the subject of a job: `Finance, Marketing and 3 more · MIM 2026-27 S2 · MIM`; empty if it is not known. */
export function aboutLine({ about }: Pick<Job, 'about'>): string {
  if (about === null) return '';
  const { courses, more, terms, programmes } = about;
  return joined(texts.courseNames(courses, more), terms.join(', '), programmes.join(', '));
}

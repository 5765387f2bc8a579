import { STICKY } from '../../store/sticky.ts';
import { messages } from '../messages.ts';
import { type Importer, startsWithOne } from './work.ts';

const COLUMNS = [
  'abstract_course_id',
  'short_name',
  'long_name',
  'account_id',
  'term_id',
  'fallback_account_id',
  'status',
] as const;
const say = messages.abstractCourse;

/** Courses in a catalogue; a course can take its name, term and account from one (§9.4). */
export const abstractCourseImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'abstract_course',
  columns: COLUMNS,
  buffer: 1,

  check(row) {
    const id = row.abstract_course_id;
    if (!id) return say.noId;
    if (!row.short_name) return say.noShortName(id);
    if (!row.long_name) return say.noLongName(id);
    if (!startsWithOne(row.status, 'active', 'deleted')) return say.badStatus(row.status, id);
    return undefined;
  },

  apply(row, work) {
    const { abstractCourses, accounts, defaultTerm, rootAccount, terms } = work.world;
    const present = abstractCourses.by.sis.get(row.abstract_course_id);
    const account = accounts.by.sis.get(row.account_id) ?? accounts.by.sis.get(row.fallback_account_id);
    const term = terms.by.sis.get(row.term_id);
    const fields = {
      name: row.long_name ?? '',
      short_name: row.short_name ?? '',
      workflow_state: startsWithOne(row.status, 'deleted') ? ('deleted' as const) : ('active' as const),
      account_id: account?.id ?? present?.account_id ?? rootAccount.id,
      enrollment_term_id: (term ?? defaultTerm).id,
    };
    if (present) work.update(abstractCourses, 'AbstractCourse', present, fields, STICKY.abstractCourse);
    else
      work.create(abstractCourses, 'AbstractCourse', {
        sis_source_id: row.abstract_course_id,
        sis_batch_id: null,
        stuck_sis_fields: null,
        ...fields,
      });
    return true;
  },
};

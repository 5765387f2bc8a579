import type { Term } from '../../store/model.ts';
import { STICKY } from '../../store/sticky.ts';
import { readDates } from '../csv/dates.ts';
import type { Cells } from '../csv/files.ts';
import { messages } from '../messages.ts';
import { type Importer, integrationTaken, type Outcome, startsWithOne, tooLong, type Work } from './work.ts';

const COLUMNS = [
  'term_id',
  'name',
  'status',
  'start_date',
  'end_date',
  'integration_id',
  'date_override_enrollment_type',
] as const;
type TermCells = Cells<(typeof COLUMNS)[number]>;
const OVERRIDABLE = ['StudentEnrollment', 'TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment'];
const say = messages.term;

/** Terms (§9.3). */
export const termImporter: Importer<(typeof COLUMNS)[number]> = {
  kind: 'term',
  columns: COLUMNS,
  buffer: 1,

  check(row, work) {
    if (readDates([row.start_date, row.end_date]).bad) work.warn(row.row, say.badDate(row.term_id));
    if (!row.term_id) return say.noId;
    if (!startsWithOne(row.status, 'active', 'deleted')) return say.badStatus(row.status, row.term_id);
    return undefined;
  },

  apply(row, work) {
    const { terms } = work.world;
    const term = terms.by.sis.get(row.term_id);
    const { dates } = readDates([row.start_date, row.end_date]);
    const [start = null, end = null] = dates;
    if (row.date_override_enrollment_type) return override(row, work, term, start, end);
    if (!row.name) return say.noName(row.term_id);
    const state = startsWithOne(row.status, 'deleted') ? ('deleted' as const) : ('active' as const);
    if (term && state === 'deleted') {
      const refusal = deletionRefusal(term, work);
      if (refusal) return say.invalid(row.term_id, row.name, refusal);
    }
    const invalid =
      tooLong([
        ['Name', row.name],
        ['SIS ID', row.term_id],
      ]) ?? integrationTaken(row.integration_id, term, terms.by.integration.get(row.integration_id));
    if (invalid) return say.invalid(row.term_id, row.name, invalid);
    const datesStuck = term !== undefined && (work.isStuck(term, 'start_at') || work.isStuck(term, 'end_at'));
    const fields = {
      name: row.name,
      integration_id: row.integration_id,
      workflow_state: state,
      ...(datesStuck ? {} : { start_at: start, end_at: end }),
    };
    if (term) work.update(terms, 'EnrollmentTerm', term, fields, STICKY.term);
    else
      work.create(terms, 'EnrollmentTerm', {
        sis_source_id: row.term_id,
        sis_batch_id: null,
        overrides: {},
        default_term: false,
        start_at: start,
        end_at: end,
        stuck_sis_fields: null,
        ...fields,
      });
    return true;
  },
};

/** Sets dates for one enrolment type in an existing term; nothing else in the term changes. */
function override(
  row: TermCells,
  work: Work,
  term: Term | undefined,
  start: string | null,
  end: string | null,
): Outcome {
  const type = row.date_override_enrollment_type as string;
  if (!term) return say.overrideUnknown;
  if (!OVERRIDABLE.includes(type)) return say.badOverride;
  const { [type]: _former, ...others } = term.overrides;
  const deleting = startsWithOne(row.status, 'deleted');
  const overrides = deleting ? others : { ...others, [type]: { start_at: start, end_at: end } };
  work.update(work.world.terms, 'EnrollmentTerm', term, { overrides });
  return true;
}

function deletionRefusal(term: Term, { world }: Work): string | undefined {
  if (term.default_term) return say.isDefault;
  const used = world.courses.by.term.get(term.id).some((course) => course.workflow_state !== 'deleted');
  return used ? say.hasCourses : undefined;
}

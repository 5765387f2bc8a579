/** A term's dates for one type of enrolment: compared with the LMS before and after (SIS-06). */
import { expect, test } from 'vitest';
import { alma, openEffects, ts } from './effect-campus.ts';
import { sent } from './removals.ts';
import { effectRows, problemsOf, upload } from './support.ts';

openEffects();

const KIND = 'date_override_enrollment_type';
const HEADER = `term_id,name,status,start_date,end_date,${KIND}`;
const FIRST = '2026-09-01T00:00:00Z';
const LAST = '2026-12-31T00:00:00Z';

test('SIS-06: dates for one type of enrolment are shown with old and new values, and equal ones have no effect', async () => {
  const { terms } = ts.sandbox.world;
  const [term, other] = [...terms.values()].filter(
    (one) => one.sis_source_id !== null && one.workflow_state === 'active',
  );
  if (!term || !other) throw new Error('no terms');
  terms.change(term, {
    overrides: {
      StudentEnrollment: { start_at: FIRST, end_at: null },
      TeacherEnrollment: { start_at: FIRST, end_at: LAST },
      TaEnrollment: { start_at: FIRST, end_at: null },
    },
  });
  const dates = (of: string | null, kind: string, start: string, end: string, status = 'active') =>
    `${of},,${status},${start},${end},${kind}`;
  const { id } = await sent(
    [
      HEADER,
      dates(term.sis_source_id, 'StudentEnrollment', '2026-09-15', '2026-12-31'),
      dates(term.sis_source_id, 'TeacherEnrollment', '2026-09-01', '2026-12-31T00:00:00Z'),
      dates(term.sis_source_id, 'TaEnrollment', '', '', 'deleted'),
      dates(term.sis_source_id, 'DesignerEnrollment', '', ''),
      dates(other.sis_source_id, 'TaEnrollment', '', '', 'deleted'),
      dates('NO-TERM', 'TaEnrollment', '', ''),
      'TD-NEW,New term,active,,,',
      dates('TD-NEW', 'StudentEnrollment', '2026-09-01', ''),
    ].join('\n'),
  );
  const { rows } = await effectRows(alma, id, { table: 'term' });
  expect(rows.toSorted((a, b) => a.row - b.row).map(({ does, fields }) => [does, fields])).toEqual([
    [
      'changes',
      [
        ['start_date', FIRST, '2026-09-15T00:00:00Z'],
        ['end_date', null, LAST],
      ],
    ],
    ['nothing', []],
    [
      'changes',
      [
        [KIND, 'TaEnrollment', null],
        ['start_date', FIRST, null],
      ],
    ],
    ['changes', [[KIND, null, 'DesignerEnrollment']]],
    ['nothing', []],
    ['fails', []],
    ['creates', [['name', null, 'New term']]],
    [
      'changes',
      [
        [KIND, null, 'StudentEnrollment'],
        ['start_date', null, FIRST],
      ],
    ],
  ]);
  expect(term.overrides).toEqual({
    StudentEnrollment: { start_at: '2026-09-15T00:00:00Z', end_at: LAST },
    TeacherEnrollment: { start_at: FIRST, end_at: LAST },
    DesignerEnrollment: { start_at: null, end_at: null },
  });
  expect(terms.by.sis.get('TD-NEW')?.overrides).toEqual({
    StudentEnrollment: { start_at: FIRST, end_at: null },
  });
  const batch = [...ts.sandbox.world.sisBatches.values()].at(-1);
  expect((batch?.errors ?? []).map(({ row }) => row)).toEqual([7]);
});

test('SIS-06: a term can appear in a file once for itself, and once for each type of enrolment', async () => {
  const row = (kind: string) => `TD-1,A term,active,,,${kind}`;
  const twice = [row(''), row('TaEnrollment'), row('StudentEnrollment'), row('TaEnrollment'), row('')];
  const told = problemsOf(await upload(alma, [HEADER, ...twice].join('\n')));
  expect(told.map(([at, column]) => [at, column])).toEqual([
    [5, 'term_id'],
    [6, 'term_id'],
  ]);
});

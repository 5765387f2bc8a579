/** Enrolment rows. */
import type { Enrollment } from '@lms-admin/sandbox/canvas/store/model';
import type { GeneratedRow, GeneratedTable } from './file.ts';
import { BAD_DATES, type Choices, row, type Stage } from './stage.ts';

type Make = (stage: Stage) => GeneratedRow;

const STATES = ['active', 'deleted', 'completed', 'inactive', 'deleted_last_completed'];
const ROLES: readonly Record<string, string>[] = [
  { role_id: '3' },
  { role_id: '3' },
  { role_id: '5' },
  { role_id: '4' },
  { role: 'student' },
  { role: 'StudentEnrollment' },
  { role: 'ta' },
  { role: 'Teacher' },
  { role: 'designer' },
  { role_id: '6' },
  { role_id: '3', role: 'ta' },
  { role_id: '999', role: 'student' },
];
const PERHAPS = 'perhaps somebody or something that is gone';

/** Describes a person in a course or section, existing or not. */
function place(stage: Stage): Record<string, string> {
  const course = stage.courseId();
  const { ahead, leaving, chance } = stage;
  const [some] = [leaving.section, ahead.section].filter((ids) => ids.length > 0 && chance.chance(0.35));
  const section = some ? chance.pick(some) : stage.section()?.sis_source_id;
  if (!section || stage.chance.chance(0.5)) return { course_id: course };
  if (stage.chance.chance(0.6)) return { section_id: section };
  const held = stage.world.sections.by.sis.get(section);
  const of = stage.world.courses.get(held?.nonxlist_course_id ?? held?.course_id)?.sis_source_id;
  return { course_id: of ?? course, section_id: section };
}

const any = (stage: Stage, status: string): Record<string, string> => ({
  ...place(stage),
  user_id: stage.personId(),
  ...stage.chance.pick(ROLES),
  status: stage.word(status),
});

/**
 * Describes an existing enrolment, by its course alone or with its section, possibly of a person deleted by
 * the same upload.
 */
function held(stage: Stage, status: string): Record<string, string> {
  const { world, chance, leaving } = stage;
  const gone = new Set(leaving.user.map((id) => world.pseudonyms.by.sis.get(id)?.user_id));
  const [section0] = leaving.section;
  const inGone = section0
    ? world.enrollments.by.section.get(world.sections.by.sis.get(section0)?.id ?? 0)
    : [];
  const all =
    inGone.length > 0 && chance.chance(0.4)
      ? inGone.slice(0, 8)
      : gone.size > 0 && chance.chance(0.4)
        ? [...gone].flatMap((user) => world.enrollments.by.user.get(user ?? 0).slice(0, 4))
        : world.enrollments.by.course
            .get(stage.course().id)
            .filter(({ user_id }) => stage.people.some((one) => one.user_id === user_id));
  const one: Enrollment | undefined = all.length > 0 ? chance.pick(all) : undefined;
  const login =
    one &&
    [...world.loginsOf(one.user_id), ...world.pseudonyms.by.user.get(one.user_id)].find(
      ({ sis_user_id }) => sis_user_id !== null,
    );
  if (!one || !login?.sis_user_id) return any(stage, status);
  const section = world.sections.must(one.course_section_id).sis_source_id;
  return {
    course_id: world.courses.must(one.course_id).sis_source_id ?? '',
    ...(section && chance.chance(0.8) ? { section_id: section } : {}),
    user_id: login.sis_user_id,
    role_id: String(one.role_id),
    status: stage.word(status),
  };
}

/** Describes a person by their integration id, alone or beside an SIS ID that can be another person's. */
function byIntegration(stage: Stage): Record<string, string> {
  const { world, chance } = stage;
  const integrated = [...world.pseudonyms.values()].filter(
    (one) => one.integration_id !== null && one.user_id >= 1300,
  );
  if (integrated.length === 0) return any(stage, 'active');
  const those = stage.people.filter((one) => one.integration_id !== null);
  const login = those.length > 0 && chance.chance(0.8) ? chance.pick(those) : chance.pick(integrated);
  const cells = held(stage, chance.pick(STATES));
  return {
    ...cells,
    user_id: chance.chance(0.5)
      ? ''
      : chance.chance(0.7)
        ? (login.sis_user_id ?? '')
        : (cells['user_id'] ?? ''),
    user_integration_id: login.integration_id ?? '',
  };
}

/** Describes the enrolment of an observer who follows a student, in any state. */
function observing(stage: Stage): Record<string, string> {
  const { world, chance } = stage;
  const all = [...world.enrollments.values()].filter((one) => one.associated_user_id !== null);
  const sis = (id: number | null) =>
    world.loginsOf(id ?? 0).find((one) => one.sis_user_id !== null)?.sis_user_id;
  const one = all.length > 0 ? chance.pick(all) : undefined;
  const [user, student] = [sis(one?.user_id ?? null), sis(one?.associated_user_id ?? null)];
  if (!one || !user || !student)
    return { ...any(stage, 'active'), role: '', role_id: '7', associated_user_id: stage.personId() };
  const section = world.sections.must(one.course_section_id).sis_source_id;
  return {
    course_id: world.courses.must(one.course_id).sis_source_id ?? '',
    ...(section ? { section_id: section } : {}),
    user_id: user,
    role_id: '7',
    ...(chance.chance(0.8) ? { associated_user_id: student } : {}),
    status: chance.pick(STATES),
  };
}

const ENROLMENTS: Choices<Make> = [
  [8, (stage) => row(any(stage, 'active'), PERHAPS)],
  [3, (stage) => row(any(stage, stage.chance.pick(STATES)), PERHAPS)],
  [10, (stage) => row(held(stage, stage.chance.pick(STATES)), PERHAPS)],
  [6, (stage) => row(held(stage, 'deleted'), PERHAPS)],
  [
    3,
    (stage) => row({ ...held(stage, 'active'), start_date: stage.date(), end_date: stage.date() }, PERHAPS),
  ],
  [
    2,
    (stage) =>
      row(
        { ...held(stage, 'active'), limit_section_privileges: stage.chance.pick(['true', 'false']) },
        PERHAPS,
      ),
  ],
  [
    2,
    (stage) =>
      row({ ...any(stage, 'active'), role: '', role_id: '7', associated_user_id: stage.personId() }, PERHAPS),
  ],
  [
    1,
    (stage) =>
      row(
        { ...any(stage, 'active'), role: '', role_id: '7', associated_user_id: 'NOBODY' },
        'nobody to observe',
      ),
  ],
  [3, (stage) => row(byIntegration(stage), 'perhaps two people')],
  [
    1,
    (stage) =>
      row(
        {
          ...held(stage, stage.chance.pick(STATES)),
          root_account: stage.chance.pick(['1', 'elsewhere.example']),
        },
        'another root account',
      ),
  ],
  [3, (stage) => row(observing(stage), PERHAPS)],
  [1, (stage) => row({ ...any(stage, 'active'), user_id: 'NOBODY' }, 'nobody who exists')],
  [1, (stage) => row({ ...any(stage, 'deleted'), course_id: 'NO-COURSE', section_id: '' }, 'no course')],
  [
    1,
    (stage) =>
      row(
        {
          ...any(stage, 'active'),
          section_id: stage.section()?.sis_source_id ?? '',
          course_id: stage.courseId(),
        },
        'perhaps unrelated',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        { ...held(stage, 'active'), start_date: stage.chance.pick(BAD_DATES) },
        'a date that nobody can read',
      ),
  ],
  [1, (stage) => row({ ...any(stage, 'active'), role: '', role_id: '1' }, 'no role of a course')],
];

/** Creates a table of enrolments with the columns that rows fill in, and occasionally others. */
export function enrolments(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(ENROLMENTS)(stage), 8, 'fine');
  // Added and removed, or the reverse, in one file.
  if (stage.chance.chance(0.3)) {
    const { cells } = stage.chance.pick(rows);
    const status = cells['status']?.toLowerCase() === 'active' ? 'deleted' : 'active';
    rows.push(row({ ...cells, status }, PERHAPS));
  }
  const used = new Set(rows.flatMap(({ cells }) => Object.keys(cells).filter((column) => cells[column])));
  const always = ['course_id', 'user_id', 'status'];
  const columns = [
    'section_id',
    'role_id',
    'role',
    'start_date',
    'end_date',
    'limit_section_privileges',
    'associated_user_id',
    'user_integration_id',
    'root_account',
  ];
  return {
    kind: 'enrollment',
    columns: [...always, ...columns.filter((column) => used.has(column) || stage.chance.chance(0.1))],
    rows,
  };
}

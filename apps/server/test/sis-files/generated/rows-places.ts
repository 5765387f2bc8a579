/** Rows for courses, sections and cross-listings. */
import type { GeneratedRow, GeneratedTable } from './file.ts';
import { anAccount, aTerm, dated } from './rows-accounts.ts';
import { deleting, onceEach } from './rows-people.ts';
import { BAD_DATES, type Choices, row, SPOILED_IDS, type Stage } from './stage.ts';

type Make = (stage: Stage) => GeneratedRow;

const newCourse = (stage: Stage, status = 'active'): Record<string, string> => {
  const id = stage.fresh('COURSE');
  if (status !== 'deleted') stage.ahead.course.push(id);
  return { course_id: id, short_name: id.slice(-6), long_name: stage.name(), status: stage.word(status) };
};
const sameCourse = (stage: Stage, status: string): Record<string, string> => {
  const { sis_source_id, name, course_code } = stage.course();
  return {
    course_id: sis_source_id ?? '',
    short_name: course_code,
    long_name: name,
    status: stage.word(status),
  };
};

const COURSES: Choices<Make> = [
  [
    5,
    (stage) =>
      row({ ...newCourse(stage), ...dated(stage), term_id: aTerm(stage), account_id: anAccount(stage) }),
  ],
  [2, (stage) => row(newCourse(stage, 'published'))],
  [1, (stage) => row(newCourse(stage, 'completed'))],
  [1, (stage) => row(newCourse(stage, 'deleted'))],
  [4, (stage) => row({ ...sameCourse(stage, 'active'), long_name: stage.name(), ...dated(stage) })],
  [3, (stage) => row(sameCourse(stage, stage.chance.pick(['active', 'unpublished', 'published'])))],
  [3, (stage) => row(sameCourse(stage, 'completed'))],
  [3, (stage) => row(sameCourse(stage, 'deleted'))],
  [
    2,
    (stage) =>
      row({
        ...sameCourse(stage, 'deleted'),
        short_name: 'GONE',
        long_name: stage.name(),
        term_id: aTerm(stage),
        ...dated(stage),
      }),
  ],
  [
    2,
    (stage) =>
      row(
        {
          ...sameCourse(stage, stage.chance.pick(['active', 'completed'])),
          long_name: stage.name(),
          blueprint_course_id: 'NO-COURSE',
        },
        'no blueprint course',
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { ...sameCourse(stage, 'active'), account_id: anAccount(stage), term_id: aTerm(stage) },
        'perhaps an account that is gone',
      ),
  ],
  [2, (stage) => row({ ...sameCourse(stage, 'active'), term_id: 'NO-TERM' }, 'a term that nobody knows')],
  [1, (stage) => row({ ...newCourse(stage), term_id: 'NO-TERM' }, 'a term that nobody knows')],
  [1, (stage) => row({ ...newCourse(stage), account_id: 'NO-ACCOUNT' }, 'no account')],
  [1, (stage) => row({ ...sameCourse(stage, 'active'), start_date: '<delete>', end_date: '<delete>' })],
  [
    1,
    (stage) =>
      row(
        { ...sameCourse(stage, 'active'), start_date: stage.chance.pick(BAD_DATES) },
        'a date that nobody can read',
      ),
  ],
  [
    1,
    (stage) =>
      row({
        ...sameCourse(stage, 'active'),
        course_format: stage.chance.pick(['online', 'blended', 'on_campus', 'not_set']),
      }),
  ],
  [1, (stage) => row({ ...sameCourse(stage, 'active'), course_format: 'remote' }, 'no format')],
  [
    1,
    (stage) =>
      row({ ...sameCourse(stage, 'active'), long_name: 'x'.repeat(256) }, 'a name of 256 characters'),
  ],
  [
    1,
    (stage) =>
      row(
        { ...newCourse(stage), course_id: stage.chance.pick(SPOILED_IDS) },
        'an id that a spreadsheet changed',
      ),
  ],
  [1, (stage) => row({ ...sameCourse(stage, 'active'), integration_id: stage.fresh('CINT') })],
  [
    1,
    (stage) =>
      row(
        { ...newCourse(stage), account_id: 'NO-ACCOUNT', fallback_account_id: anAccount(stage) },
        'perhaps no account',
      ),
  ],
  [
    1,
    (stage) =>
      row(
        {
          ...sameCourse(stage, stage.chance.pick(['active', 'completed'])),
          blueprint_course_id: stage.chance.pick(['<delete>', stage.courseId()]),
        },
        'perhaps no blueprint',
      ),
  ],
  [
    1,
    (stage) =>
      row({
        ...sameCourse(stage, 'active'),
        grade_passback_setting: stage.chance.pick(['nightly_sync', 'not_set']),
        homeroom_course: stage.chance.pick(['true', 'false']),
      }),
  ],
];

export function courses(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(COURSES)(stage), 4, 'mistake');
  const columns = stage.columns(
    rows,
    ['course_id', 'short_name', 'long_name', 'status'],
    [
      'account_id',
      'term_id',
      'start_date',
      'end_date',
      'course_format',
      'integration_id',
      'grade_passback_setting',
      'homeroom_course',
      'blueprint_course_id',
      'fallback_account_id',
    ],
  );
  return { kind: 'course', columns, rows: onceEach(rows, ['course_id']) };
}

const newSection = (stage: Stage, status = 'active'): Record<string, string> => {
  const id = stage.fresh('SECTION');
  if (status !== 'deleted') stage.ahead.section.push(id);
  return { section_id: id, course_id: stage.courseId(), name: stage.name(), status: stage.word(status) };
};
/** Describes an existing section, with its current or original course. */
const sameSection = (stage: Stage, status: string): Record<string, string> => {
  const section = stage.section();
  if (!section) return newSection(stage, status);
  const course = stage.world.courses.must(section.nonxlist_course_id ?? section.course_id);
  return {
    section_id: section.sis_source_id ?? '',
    course_id: course.sis_source_id ?? '',
    name: section.name,
    status: stage.word(status),
  };
};

const SECTIONS: Choices<Make> = [
  [6, (stage) => row({ ...newSection(stage), ...dated(stage) })],
  [1, (stage) => row(newSection(stage, 'deleted'))],
  [4, (stage) => row({ ...sameSection(stage, 'active'), name: stage.name(), ...dated(stage) })],
  [3, (stage) => row(sameSection(stage, 'active'))],
  [4, (stage) => row(sameSection(stage, 'deleted'))],
  [2, (stage) => row({ ...sameSection(stage, 'deleted'), name: stage.name(), ...dated(stage) })],
  [1, (stage) => row({ ...sameSection(stage, 'deleted'), course_id: stage.courseId() })],
  [1, (stage) => row({ ...sameSection(stage, 'deleted'), name: '' }, 'perhaps no name')],
  [4, (stage) => row({ ...sameSection(stage, 'active'), course_id: stage.courseId() })],
  [1, (stage) => row({ ...newSection(stage), course_id: 'NO-COURSE' }, 'no course')],
  [1, (stage) => row({ ...newSection(stage), name: '' }, 'no name')],
  [
    1,
    (stage) =>
      row({ ...newSection(stage), start_date: stage.chance.pick(BAD_DATES) }, 'a date that nobody can read'),
  ],
  [1, (stage) => row({ ...newSection(stage), name: 'x'.repeat(256) }, 'a name of 256 characters')],
];

export function sections(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(SECTIONS)(stage), 4, 'mistake');
  const columns = stage.columns(
    rows,
    ['section_id', 'course_id', 'name', 'status'],
    ['start_date', 'end_date', 'integration_id'],
  );
  const once = onceEach(rows, ['section_id']);
  stage.leaving.section.push(...deleting(once, 'section_id'));
  return { kind: 'section', columns, rows: once };
}

const sectionId = (stage: Stage): string => {
  const { section } = stage.ahead;
  if (section.length > 0 && stage.chance.chance(0.3)) return stage.chance.pick(section);
  return stage.section()?.sis_source_id ?? 'NO-SECTION';
};

const CROSS_LISTINGS: Choices<Make> = [
  [
    6,
    (stage) =>
      row(
        { xlist_course_id: stage.courseId(), section_id: sectionId(stage), status: stage.word('active') },
        'perhaps no section',
      ),
  ],
  [4, (stage) => listedAway(stage)],
  [
    2,
    (stage) =>
      row(
        { xlist_course_id: stage.courseId(), section_id: sectionId(stage), status: 'deleted' },
        'perhaps no section',
      ),
  ],
  [
    2,
    (stage) =>
      row(
        { xlist_course_id: stage.fresh('COURSE'), section_id: sectionId(stage), status: 'active' },
        'a course that nobody knows',
      ),
  ],
  [
    1,
    (stage) =>
      row({ xlist_course_id: stage.courseId(), section_id: 'NO-SECTION', status: 'active' }, 'no section'),
  ],
];

/** Moves the section back to its own course. */
function listedAway(stage: Stage): GeneratedRow {
  const { courses, sections } = stage.world;
  const away = [...sections.values()].filter(
    (one) => one.nonxlist_course_id !== null && one.sis_source_id !== null,
  );
  if (away.length === 0)
    return row(
      { xlist_course_id: stage.courseId(), section_id: sectionId(stage), status: 'active' },
      'perhaps no section',
    );
  const section = stage.chance.pick(away);
  const course = courses.must(section.course_id).sis_source_id ?? stage.courseId();
  return row({
    xlist_course_id: course,
    section_id: section.sis_source_id ?? '',
    status: stage.word('deleted'),
  });
}

export function crossListings(stage: Stage): GeneratedTable {
  const rows = stage.rows(() => stage.one(CROSS_LISTINGS)(stage), 3, 'fine');
  return { kind: 'xlist', columns: ['xlist_course_id', 'section_id', 'status'], rows };
}

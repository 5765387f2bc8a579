/** Rows of accounts, terms, courses, sections and cross-listings. */
import { type Cells, type SisEffect } from '@lms-admin/domain/sis-effect';
import {
  abstractCourseEffect,
  accountEffect,
  courseEffect,
  type HeldCourse,
  type HeldSection,
  type Known,
  sectionEffect,
  termEffect,
} from '@lms-admin/domain/sis-effect/places';
import { shown } from '@lms-admin/domain/sis-rows';
import { mapLimited } from '../../platform/limited.ts';
import { counted } from '../../platform/text.ts';
import { type Answer, AT_ONCE } from './ask.ts';
import { type CellsRow, grouped } from './gathered.ts';
import { enrolmentsOf, type FoundSection, sectionBySisId, sectionsOf } from './holdings.ts';
import { count, courseIsThere, type Judging, named, put, removes } from './judging.ts';

/** What is said of accounts, terms and courses by the rows so far and the LMS. */
async function knownIn(judging: Judging): Promise<Known> {
  const { around, made, gathered } = judging;
  const wants = ['account', 'term', 'course'].some((kind) => gathered.count(kind as 'account') > 0);
  const [accounts, terms] = wants ? await Promise.all([around.accounts(), around.terms()]) : [null, null];
  return {
    account: (id) => made.has('account', id) ?? (accounts === null ? null : accounts.bySisId.has(id)),
    term: (id) => made.has('term', id) ?? (terms === null ? null : terms.bySisId.has(id)),
    course: (id) => courseIsThere(judging, id),
  };
}

export async function judgePlaces(judging: Judging): Promise<void> {
  const known = await knownIn(judging);
  await judgeAccounts(judging, known);
  await judgeTerms(judging);
  for (const { cell, ...at } of judging.gathered.of('abstract_course')) {
    const effect = abstractCourseEffect(cell);
    count(judging, 'abstract_course', effect, removes('abstract_course', cell));
    await put(
      judging,
      'abstract_course',
      at,
      effect,
      named(cell('abstract_course_id'), cell('long_name') ?? null),
    );
  }
  await judgeCourses(judging, known);
  await judgeSections(judging, known);
  await judgeCrossListings(judging);
}

async function judgeAccounts(judging: Judging, known: Known): Promise<void> {
  const { gathered, around, made } = judging;
  if (gathered.count('account') === 0) return;
  const accounts = await around.accounts();
  for (const { cell, ...at } of gathered.of('account')) {
    const id = cell('account_id') ?? '';
    const held = accounts?.bySisId.get(id) ?? null;
    const effect: SisEffect =
      accounts === null
        ? { does: 'unknown', why: 'The LMS did not tell its accounts.' }
        : accountEffect(cell, held, known);
    follow(judging, 'account', id, effect);
    made.set('account', id, effect.does !== 'deletes' && (held !== null || effect.does === 'creates'));
    count(judging, 'account', effect, removes('account', cell));
    const page = held === null ? null : `accounts/${held.id}`;
    await put(judging, 'account', at, effect, named(id, held?.name ?? cell('name') ?? null, page));
  }
}

/** What a row leaves is what later rows find. */
function follow(
  { made }: Judging,
  kind: 'account' | 'term' | 'course',
  id: string,
  { does }: SisEffect,
): void {
  if (does === 'creates' || does === 'restores') made.set(kind, id, true);
  else if (does === 'deletes') made.set(kind, id, false);
}

async function judgeTerms(judging: Judging): Promise<void> {
  const { gathered, around } = judging;
  if (gathered.count('term') === 0) return;
  const terms = await around.terms();
  for (const { cell, ...at } of gathered.of('term')) {
    const id = cell('term_id') ?? '';
    const held = terms?.bySisId.get(id) ?? null;
    const effect: SisEffect =
      terms === null ? { does: 'unknown', why: 'The LMS did not tell its terms.' } : termEffect(cell, held);
    follow(judging, 'term', id, effect);
    count(judging, 'term', effect, removes('term', cell));
    await put(judging, 'term', at, effect, named(id, held?.name ?? cell('name') ?? null));
  }
}

async function judgeCourses(judging: Judging, known: Known): Promise<void> {
  const { gathered, courses, asking, tally } = judging;
  const inside = await hanging(
    judging,
    [...gathered.of('course')].filter(({ cell }) => removes('course', cell)),
  );
  let judged = 0;
  for (const { cell, ...at } of gathered.of('course')) {
    const id = cell('course_id') ?? '';
    const found = courses.of(id);
    const held: HeldCourse | null = typeof found === 'object' ? found : null;
    const effect: SisEffect =
      found === 'unread'
        ? { does: 'unknown', why: 'The LMS did not tell about the course.' }
        : courseEffect(cell, held, known);
    follow(judging, 'course', id, effect);
    count(judging, 'course', effect, removes('course', cell));
    const takes = effect.does === 'deletes' ? (inside.get(id) ?? null) : null;
    if (takes !== null) {
      tally.take('enrollment', takes.enrolments ?? 0);
      if (takes.enrolments === null) tally.untold = true;
      if ((takes.enrolments ?? 0) > 0) tally.whole = true;
      tally.course(id, held?.name ?? null, takes.enrolments ?? 0, takes.active);
    }
    const page = held === null || held.state === 'deleted' ? null : `courses/${held.id}`;
    const words = takes === null ? null : takenWords(takes);
    await put(judging, 'course', at, effect, named(id, held?.name ?? cell('long_name') ?? null, page), {
      takes: words,
    });
    judging.onJudged(++judged);
  }
  asking.signal.throwIfAborted();
}

interface Inside {
  enrolments: number | null;
  active: number | null;
  sections: number | null;
}

function takenWords({ enrolments, sections }: Inside): string {
  const what = [
    enrolments === null ? 'enrolments that could not be counted' : counted(enrolments, 'enrolment'),
    ...(sections === null ? [] : [counted(sections, 'section')]),
  ];
  return `with ${what.join(' and ')}`;
}

/** What hangs on courses that are to go. */
async function hanging(
  { courses, asking }: Judging,
  rows: readonly CellsRow[],
): Promise<Map<string, Inside>> {
  const found = new Map<string, Inside>();
  await mapLimited(rows, AT_ONCE, async ({ cell }) => {
    const id = cell('course_id') ?? '';
    const course = courses.of(id);
    if (typeof course !== 'object' || course.state === 'deleted') return;
    const [enrolments, sections] = await Promise.all([
      enrolmentsOf(asking, `courses/${course.id}`),
      sectionsOf(asking, course),
    ]);
    const read = typeof enrolments === 'string' ? null : enrolments;
    found.set(id, {
      enrolments: read?.length ?? null,
      active: read?.filter(({ state }) => state === 'active').length ?? null,
      sections: typeof sections === 'string' ? null : sections.length,
    });
  });
  return found;
}

/** Sections that rows name: those of the courses that they name, else wherever they are now. */
async function namedSections(
  judging: Judging,
  rows: readonly CellsRow[],
  course: string,
): Promise<Map<string, Answer<FoundSection>>> {
  const { asking, courses } = judging;
  const found = new Map<string, Answer<FoundSection>>();
  const byCourse = grouped(rows, ({ cell }) => cell(course) ?? '');
  await mapLimited([...byCourse], AT_ONCE, async ([id, those]) => {
    const at = courses.of(id);
    const ids = those.map(({ cell }) => cell('section_id') ?? '');
    // One section is asked for by itself; several are read with their course.
    if (typeof at === 'object' && at.state !== 'deleted' && ids.length > 1) {
      const all = await sectionsOf(asking, at);
      if (typeof all !== 'string')
        for (const each of all) if (each.sisId !== null) found.set(each.sisId, each);
    }
    for (const each of ids) if (!found.has(each)) found.set(each, await sectionBySisId(asking, each));
  });
  return found;
}

async function judgeSections(judging: Judging, known: Known): Promise<void> {
  const { gathered, made, tally, asking, courses } = judging;
  const rows = [...gathered.of('section')];
  const held = await namedSections(judging, rows, 'course_id');
  const going = rows.flatMap(({ cell }) => {
    const found = held.get(cell('section_id') ?? '');
    return removes('section', cell) && typeof found === 'object' ? [found] : [];
  });
  const inside = new Map<number, number | null>();
  await mapLimited(going, AT_ONCE, async ({ id }) => {
    const read = await enrolmentsOf(asking, `sections/${id}`);
    inside.set(id, typeof read === 'string' ? null : read.length);
  });
  for (const [at, { cell, ...where }] of rows.entries()) {
    const [id, course] = [cell('section_id') ?? '', cell('course_id') ?? ''];
    const found = held.get(id) ?? 'unread';
    const section: HeldSection | null = typeof found === 'object' ? found : null;
    // With its course it goes once only.
    const gone = section?.course != null && made.has('course', section.course) === false;
    const effect: SisEffect = gone
      ? { does: 'nothing', why: 'It goes with its course, which is deleted by the same upload.' }
      : found === 'unread'
        ? { does: 'unknown', why: 'The LMS did not tell about the section.' }
        : sectionEffect(cell, section, known);
    count(judging, 'section', effect, removes('section', cell));
    if (effect.does === 'creates') made.sections.set(id, course);
    if (effect.does === 'creates' || effect.does === 'deletes')
      made.set('section', id, effect.does === 'creates');
    if (effect.fields?.some(([field]) => field === 'course_id') && section !== null) made.unclear.add(id);
    const sitting = effect.does === 'deletes' && section ? (inside.get(section.id) ?? null) : 0;
    if (effect.does === 'deletes') {
      tally.take('enrollment', sitting ?? 0);
      if (sitting === null) tally.untold = true;
      if ((sitting ?? 0) > 0) tally.whole = true;
    }
    const home = courses.of(course);
    await put(
      judging,
      'section',
      where,
      effect,
      named(
        id,
        section?.name ?? cell('name') ?? null,
        section && typeof found === 'object' ? `courses/${found.courseId}/sections/${found.id}` : null,
      ),
      {
        in: typeof home === 'object' ? named(course, home.name, `courses/${home.id}`) : named(course),
        takes:
          effect.does === 'deletes'
            ? takenWords({ enrolments: sitting, active: null, sections: null })
            : null,
      },
    );
    judging.onJudged(at + 1);
  }
}

async function judgeCrossListings(judging: Judging): Promise<void> {
  const { gathered, made, courses } = judging;
  const rows = [...gathered.of('xlist')];
  const held = await namedSections(judging, rows, 'xlist_course_id');
  for (const { cell, ...at } of rows) {
    const [id, target] = [cell('section_id') ?? '', cell('xlist_course_id') ?? ''];
    const found = held.get(id) ?? 'unread';
    const effect = crossListing(cell, id, target, made.has('section', id) === true ? null : found);
    count(judging, 'xlist', effect, removes('xlist', cell));
    if (effect.does === 'changes' || effect.does === 'removes') made.unclear.add(id);
    const course = courses.of(target);
    await put(judging, 'xlist', at, effect, named(id, typeof found === 'object' ? found.name : null), {
      in: typeof course === 'object' ? named(target, course.name, `courses/${course.id}`) : named(target),
    });
  }
}

/** @param found null for a section of the same upload */
function crossListing(
  cell: Cells,
  id: string,
  target: string,
  found: Answer<FoundSection> | null,
): SisEffect {
  if (found === 'unread') return { does: 'unknown', why: 'The LMS did not tell about the section.' };
  if (found === 'missing') return { does: 'fails', why: `The LMS has no section ${shown(id)}.` };
  const back = /^deleted$/i.test(cell('status') ?? '');
  if (back) {
    if (found === null || !found.crossListed)
      return { does: 'nothing', why: 'The section is not cross-listed.' };
    return { does: 'removes', why: 'The section goes back to its own course, with everybody in it.' };
  }
  if (found?.course === target) return { does: 'nothing', why: 'The section is in this course already.' };
  return {
    does: 'changes',
    why: 'The section goes to this course, with everybody in it.',
    fields: [['xlist_course_id', found?.course ?? null, target]],
  };
}

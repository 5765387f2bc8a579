/** Why the LMS rejects accounts, terms, courses and sections: ids in use elsewhere, and items that are not empty. */
import { ROOT_ACCOUNT_ID } from '@lms-admin/domain/constants';
import { begins, type Cells } from '@lms-admin/domain/sis-effect';
import { type SisProblem, shown } from '@lms-admin/domain/sis-rows';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { z } from 'zod';
import { termAt } from '../../canvas/resources/accounts.ts';
import { hasCourses } from '../../canvas/resources/courses.ts';
import { answered, one } from '../../canvas/resources/reading.ts';
import { integrationSegment } from '../../canvas/sis-path.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW, id, text } from './ask.ts';
import type { Evaluation, Refusals } from './evaluation.ts';
import { IntegrationIds } from './integration-ids.ts';
import { blueprintRefusal } from './refusals-blueprints.ts';

type Asking = Pick<Evaluation, 'uploadRows' | 'uploadState' | 'asking' | 'around' | 'courses'>;

/** Maximum number of items looked up by integration id. */
const MAX_LOOKUPS = 10 * FEW;

const owner = z.object({ id, name: z.string(), sis_course_id: text, sis_section_id: text });
type Owner = z.output<typeof owner>;

export async function placeRefusals(evaluation: Asking): Promise<Refusals> {
  const [accounts, terms, courses, sections, blueprints] = await Promise.all([
    accountFacts(evaluation),
    termFacts(evaluation),
    integrations(evaluation, 'course', ({ sis_course_id }) => sis_course_id),
    integrations(evaluation, 'section', ({ sis_section_id }) => sis_section_id),
    blueprintRefusal(evaluation),
  ]);
  return { account: accounts, term: terms, course: courses, section: sections, blueprint: blueprints };
}

/** Finds integration ids that already belong to another course or section. */
async function integrations(
  { uploadRows, asking, uploadState, courses }: Asking,
  kind: 'course' | 'section',
  sisIdOf: (found: Owner) => string | null,
): Promise<(cell: Cells) => SisProblem[]> {
  const open = new Set<string>();
  for (const { cell } of uploadRows.of(kind))
    if (cell('integration_id')) open.add(cell('integration_id') ?? '');
  const ids = new IntegrationIds(`${kind}_id`);
  uploadState.integrations.set(kind, ids);
  // The courses in rows have already been read.
  if (kind === 'course' && open.size > 0)
    for (const { cell } of uploadRows.of(kind)) {
      const held = courses.of(cell('course_id') ?? '');
      if (typeof held !== 'object' || held.integrationId === null) continue;
      ids.note(held.integrationId, held);
      open.delete(held.integrationId);
    }
  // A deleted course keeps its integration id, which the LMS shows.
  const query = kind === 'course' ? ([['include[]', 'all_courses']] as const) : [];
  await mapLimited([...open].slice(0, MAX_LOOKUPS), AT_ONCE, async (integrationId) => {
    const path = `${kind}s/${integrationSegment(integrationId)}`;
    const found = await answered(asking, () => one(asking, path, owner, query));
    if (typeof found === 'object') ids.note(integrationId, { sisId: sisIdOf(found), name: found.name });
  });
  return (cell) => ids.problems(cell);
}

/** Finds rows of a table that delete existing items. */
function deleting({ uploadRows }: Asking, kind: SisKind, column: string): string[] {
  return [...uploadRows.of(kind)].flatMap(({ cell }) =>
    begins(cell('status'), 'deleted') ? (cell(column) ?? []) : [],
  );
}

async function accountFacts(evaluation: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const { uploadRows, around, uploadState } = evaluation;
  const all = uploadRows.count('account') === 0 ? null : await around.accounts();
  if (all === null) return () => [];
  const withCourses = new Set<string>();
  await mapLimited(deleting(evaluation, 'account', 'account_id'), AT_ONCE, async (sisId) => {
    const held = all.bySisId.get(sisId);
    if (held && (await hasCourses(evaluation.asking, held.id))) withCourses.add(sisId);
  });
  // Earlier rows may have moved or created accounts.
  const parentOf = (sisId: string) =>
    uploadState.parents.has(sisId) ? uploadState.parents.get(sisId) : all.bySisId.get(sisId)?.parent;
  const hasAccounts = (sisId: string) =>
    all.aboveUnnamed.has(sisId) ||
    [...new Set([...all.bySisId.keys(), ...uploadState.parents.keys()])].some(
      (other) => parentOf(other) === sisId && uploadState.has('account', other) !== false,
    );
  const ids = new IntegrationIds('account_id');
  uploadState.integrations.set('account', ids);
  for (const [sisId, { integrationId, name }] of all.bySisId)
    if (integrationId !== null) ids.note(integrationId, { sisId, name });
  return (cell) => {
    const problems: SisProblem[] = [];
    const add = (column: string, message: string) => problems.push({ column, message });
    const [sisId, parent] = [cell('account_id') ?? '', cell('parent_account_id') ?? null];
    const held = all.bySisId.get(sisId);
    if (held && begins(cell('status'), 'deleted')) {
      if (hasAccounts(sisId))
        add(
          'status',
          'The account has accounts below it, so the LMS will not delete it. Delete those first.',
        );
      else if (withCourses.has(sisId))
        add(
          'status',
          'The account has courses, so the LMS will not delete it. Move or delete the courses first.',
        );
    }
    for (let above = parent, steps = 0; above !== null && steps < 100; steps++) {
      if (above === sisId) {
        add(
          'parent_account_id',
          `The account ${shown(sisId)} cannot be below itself. Choose another parent.`,
        );
        break;
      }
      above = parentOf(above) ?? null;
    }
    return [...problems, ...ids.problems(cell)];
  };
}

async function termFacts(evaluation: Asking): Promise<(cell: Cells) => SisProblem[]> {
  const { uploadRows, around, uploadState } = evaluation;
  const all = uploadRows.count('term') === 0 ? null : await around.terms();
  if (all === null) return () => [];
  const used = new Set<string>();
  const leaving = deleting(evaluation, 'term', 'term_id');
  await mapLimited(leaving, AT_ONCE, async (sisId) => {
    const held = all.bySisId.get(sisId);
    if (held && (await hasCourses(evaluation.asking, ROOT_ACCOUNT_ID, held.id))) used.add(sisId);
  });
  const term = (segment: string) => answered(evaluation.asking, () => termAt(evaluation.asking, segment));
  const standard = leaving.length > 0 ? await term('default') : 'missing';
  const ids = new IntegrationIds('term_id');
  uploadState.integrations.set('term', ids);
  const given = [...uploadRows.of('term')].flatMap(({ cell }) => cell('integration_id') ?? []);
  await mapLimited([...new Set(given)].slice(0, MAX_LOOKUPS), AT_ONCE, async (integration) => {
    const found = await term(integrationSegment(integration));
    if (typeof found === 'object') ids.note(integration, { sisId: found.sis_term_id, name: found.name });
  });
  return (cell) => {
    if (cell('date_override_enrollment_type')) return [];
    const sisId = cell('term_id') ?? '';
    if (begins(cell('status'), 'deleted')) {
      const held = all.bySisId.get(sisId);
      const refused = (message: string) => [{ column: 'status', message }];
      if (held && typeof standard === 'object' && standard.id === held.id)
        return refused('This is the default term. The LMS will not delete it.');
      if (used.has(sisId))
        return refused(
          'The term has courses, so the LMS will not delete it. Move the courses to another term first.',
        );
    }
    return ids.problems(cell);
  };
}

/** Figures and texts about the changes in a file. Pure. */

import type { SisEffect, SisEffectRow } from '@lms-admin/contract/sis-effects';
import { grouped } from '@lms-admin/domain/numbers';
import { DANGEROUS, DOING, isDangerous, SIS_DOES, type SisDoes } from '@lms-admin/domain/sis-effect';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import type { Figure } from '../../components/Figures/Figures.tsx';

type KindNames = readonly [one: string, more: string];

/** Names of the records that the rows of each table describe. */
const KIND_NAMES: Readonly<Record<SisKind, KindNames>> = {
  change_sis_id: ['SIS ID', 'SIS IDs'],
  account: ['account', 'accounts'],
  term: ['term', 'terms'],
  abstract_course: ['abstract course', 'abstract courses'],
  course: ['course', 'courses'],
  section: ['section', 'sections'],
  xlist: ['cross-listing', 'cross-listings'],
  user: ['person', 'people'],
  login: ['login', 'logins'],
  enrollment: ['enrolment', 'enrolments'],
  admin: ['administrator', 'administrators'],
  group_category: ['group category', 'group categories'],
  group: ['group', 'groups'],
  group_membership: ['group membership', 'group memberships'],
  user_observer: ['observer', 'observers'],
};

/** Counts objects: `3 enrolments` */
export function countedObjects(kind: SisKind, count: number): string {
  const [one, more] = KIND_NAMES[kind];
  return `${grouped(count)} ${count === 1 ? one : more}`;
}

/** Rows of one table that make the same kind of change. */
export interface EffectPart {
  kind: SisKind;
  does: SisDoes;
  rows: number;
}

/** Lists all parts, dangerous ones first. */
export function partsOf({ tables }: Pick<SisEffect, 'tables'>): EffectPart[] {
  return SIS_DOES.flatMap((does) =>
    tables.flatMap(({ kind, does: counts }) => {
      const rows = counts[does] ?? 0;
      return rows > 0 ? [{ kind, does, rows }] : [];
    }),
  );
}

/** Kinds whose deleted records are named individually. */
const NAMED_KINDS: readonly SisKind[] = ['course', 'section', 'user'];

/** Finds the parts whose rows delete a course, a section or a person. */
export function deletedParts(effect: Pick<SisEffect, 'tables'>): EffectPart[] {
  return partsOf(effect).filter(({ kind, does }) => does === 'deletes' && NAMED_KINDS.includes(kind));
}

/** Labels a part: `3 enrolments removed`, `12 new people` */
export function partLabel({ kind, does, rows }: EffectPart): string {
  if (does !== 'creates') return `${countedObjects(kind, rows)} ${DOING[does]}`;
  const [one, more] = KIND_NAMES[kind];
  return `${grouped(rows)} new ${rows === 1 ? one : more}`;
}

/** The kinds of change that are emphasised in figures. */
const STRONG: readonly SisDoes[] = [...DANGEROUS, 'changes', 'restores', 'creates'];

/** Adds courses that the LMS creates for cross-listings to those that have a row in the file. */
function withNewCourses(parts: readonly EffectPart[], count: number): EffectPart[] {
  if (count === 0) return [...parts];
  const isNew = ({ kind, does }: EffectPart) => kind === 'course' && does === 'creates';
  const listed = parts.find(isNew) ?? { kind: 'course', does: 'creates', rows: 0 };
  const rest = parts.filter((part) => !isNew(part));
  const at = rest.findIndex(({ does }) => SIS_DOES.indexOf(does) >= SIS_DOES.indexOf('creates'));
  return rest.toSpliced(at === -1 ? rest.length : at, 0, { ...listed, rows: listed.rows + count });
}

/** Lists the headline figures: records, not rows; every kind of change is included. */
export function effectFigures(effect: SisEffect): Figure[] {
  const figures = withNewCourses(partsOf(effect), effect.new_courses.length).map((part): Figure => {
    const [, more] = KIND_NAMES[part.kind];
    const label = part.does === 'creates' ? `New ${more}` : `${capital(more)} ${DOING[part.does]}`;
    return {
      label,
      value: part.rows,
      strong: STRONG.includes(part.does),
      takes: isDangerous(part.does),
      wrong: part.does === 'fails',
    };
  });
  const around: Figure[] =
    effect.courses > 0
      ? [
          { label: 'Courses', value: effect.courses },
          { label: 'People named', value: effect.people },
        ]
      : [];
  return [...figures, ...around];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Counts the rows that the LMS would reject. */
export function failingRows({ tables }: Pick<SisEffect, 'tables'>): number {
  return tables.reduce((sum, { does }) => sum + (does.fails ?? 0), 0);
}

/** Adds up everything that is removed or ends. */
export function allTaken({ takes }: SisEffect['brake']): number {
  return takes.reduce((sum, { count }) => sum + count, 0);
}

type Removals = Pick<SisEffect['brake'], 'takes' | 'uncompared'>;

/** Describes certain and possible removals: rows that were not compared count as possible. */
export function removalsOf({ takes, uncompared }: Removals): { certain: string; possible: string } {
  const open = new Map(uncompared.map(({ kind, count }) => [kind, count]));
  const certain = takes.flatMap(({ kind, count }) => {
    const left = count - (open.get(kind) ?? 0);
    return left > 0 ? [{ kind, count: left }] : [];
  });
  return { certain: takenWords({ takes: certain }), possible: takenWords({ takes: uncompared }) };
}

/** Lists the removals: `2 courses and 41 enrolments` */
export function takenWords({ takes }: Pick<SisEffect['brake'], 'takes'>): string {
  const words = takes.map(({ kind, count }) => countedObjects(kind, count));
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}

/** Describes everything that ends with a row, and explains why the row has this effect. */
export const noteOf = ({ takes, why }: Pick<SisEffectRow, 'takes' | 'why'>) =>
  [takes, why].filter(Boolean).join('. ');

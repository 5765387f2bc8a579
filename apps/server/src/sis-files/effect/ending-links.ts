/** Observer links that rows of an upload delete, with the enrolments that observers have for these students. */
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import { type Evaluation, removes } from './evaluation.ts';
import { heldIn } from './groups-of-lms.ts';

/** Returns the key of a link. @param observer number of the observer; null for a person created by the same upload */
export const linkKey = (observer: number | null, student: number | null): string =>
  `${observer ?? ''} ${student ?? ''}`;

export type EndingLinks = () => Promise<ReadonlySet<string>>;

/** Returns the links that the upload deletes, looked up once if rows of enrolments name students to observe. */
export function endingLinks(evaluation: Evaluation): EndingLinks {
  let links: Promise<ReadonlySet<string>> | null = null;
  return () => {
    links ??= linksDeleted(evaluation);
    return links;
  };
}

async function linksDeleted(evaluation: Evaluation): Promise<ReadonlySet<string>> {
  const { uploadRows, uploadState, people, observers } = evaluation;
  const rows = [...uploadRows.of('user_observer')].filter(({ cell }) => removes('user_observer', cell));
  const ids = (column: string) => rows.map(({ cell }) => cell(column) ?? '');
  const byId = await people.byId([...ids('observer_id'), ...ids('student_id')]);
  const numberOf = (id: string) => (uploadState.people.get(id) ?? heldIn(byId(id)))?.id ?? null;
  const ending = new Set<string>();
  await mapLimited(rows, AT_ONCE, async ({ cell }) => {
    const [observer, student] = [numberOf(cell('observer_id') ?? ''), numberOf(cell('student_id') ?? '')];
    if (observer === null || student === null) return;
    const links = await observers.of(student);
    if (typeof links === 'object' && links.has(observer)) ending.add(linkKey(observer, student));
  });
  return ending;
}

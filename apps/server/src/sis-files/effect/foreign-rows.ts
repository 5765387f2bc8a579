/** Rows of enrolments that name people by their integration id, or another account: taken as the others once it is known who is meant. */
import type { SisEffect } from '@lms-admin/domain/sis-effect';
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { shown } from '@lms-admin/domain/sis-rows';
import { counted, ownText } from '../../platform/text.ts';
import { type ForeignRow, grouped } from './gathered.ts';
import { type Judging, named, put } from './judging.ts';

/** A row of which it stays open what it does, or that the LMS refuses, with its reason. */
export interface OpenRow extends ForeignRow {
  effect: SisEffect;
}

/** Finds out who is meant. Who is found stands among the rows of their course; the rest is handed back. @throws CanvasError */
export async function withForeign({ gathered, people }: Judging): Promise<OpenRow[]> {
  if (gathered.foreignRows.length === 0) return [];
  const read = () => gathered.foreignRows.map((at) => gathered.foreign.read(at));
  const byId = await people.byIntegrationId(
    read().flatMap(({ account, integrationId }) =>
      account === '' && integrationId !== '' ? [integrationId] : [],
    ),
  );
  return read().flatMap((one): OpenRow[] => {
    const { account, integrationId, row, course } = one;
    const found = account === '' ? byId(integrationId) : 'unread';
    if (typeof found === 'object' && found.sisUserId !== null) {
      const [part, at, , ...rest] = row;
      gathered.addEnrolment([part, at, ownText(found.sisUserId), ...rest], course);
      return [];
    }
    const effect: SisEffect =
      account !== ''
        ? {
            does: 'unknown',
            why: `The row names the account ${shown(account)} under root_account: what another account holds cannot be seen from here.`,
          }
        : found === 'missing'
          ? { does: 'fails', why: `Nobody in the LMS has the integration id ${shown(integrationId)}.` }
          : {
              does: 'unknown',
              why: `Who has the integration id ${shown(integrationId)} could not be found out. Name people by user_id to have the row compared.`,
            };
    return [{ ...one, effect }];
  });
}

/** Keeps and counts what stayed open, course by course. */
export async function judgeForeign(judging: Judging, open: readonly OpenRow[]): Promise<void> {
  const { tally, sink, courses } = judging;
  for (const [id, rows] of grouped(open, ({ course, row }) => course || row[3])) {
    const held = courses.of(id);
    const place = typeof held === 'object' ? named(id, held.name, `courses/${held.id}`) : named(id);
    const from = { unknown: tally.rows('enrollment', 'unknown'), fails: tally.rows('enrollment', 'fails') };
    const does = { unknown: 0, fails: 0 };
    for (const { row, integrationId, effect } of rows) {
      const [part, at, user, section, , role, status] = row;
      if (effect.does === 'fails' || effect.does === 'unknown') does[effect.does]++;
      if (effect.does === 'unknown' && mayRemove({ status })) tally.uncompared('enrollment');
      await put(judging, 'enrollment', { part, row: at }, effect, named(user || integrationId), {
        in: place,
        section: section || null,
        role: role || null,
      });
    }
    await sink.course({ of: place, term: null, rows: rows.length, does, from });
  }
  const dark = open.filter(({ effect }) => effect.does === 'unknown').length;
  if (dark === 0) return;
  tally.notes.push(
    `${counted(dark, 'row')} of enrollments ${dark === 1 ? 'names somebody' : 'name people'} by another id, or another account: ${dark === 1 ? 'it was' : 'they were'} not compared.`,
  );
}

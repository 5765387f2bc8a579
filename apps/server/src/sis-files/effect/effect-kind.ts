/** What a file does, as a kind of job: worked out from what is stored, begun again after a crash, since reading changes nothing. */

import { SIS_EFFECT, sisEffect, sisEffectRequest } from '@lms-admin/contract/sis-effects';
import { counted } from '@lms-admin/domain/numbers';
import type { ActFor } from '../../access/acting.ts';
import type { Admin } from '../../auth/admin.ts';
import type { LmsIdentity } from '../../canvas/identity.ts';
import type { StartableKind } from '../../jobs/start.ts';
import { type PlanProgressOf, planKind, type ShownStep } from '../../plans/kind.ts';
import type { Database } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { CheckServices } from '../policies/policy.ts';
import { requireFile } from '../store.ts';
import { askingBy } from './ask.ts';
import { EffectWriter } from './effect-store.ts';
import { type EffectStep, workOut } from './work-out.ts';

export type EffectServices = CheckServices & { db: Database; identity: LmsIdentity; actFor: ActFor };

const SAID: Readonly<Record<EffectStep['doing'], string>> = {
  reading: 'Reading the file',
  asking: 'Reading the LMS',
  comparing: 'Comparing with the LMS',
};

/** The kind of job. */
export function effectKind(services: EffectServices): StartableKind {
  const { db } = services.db;

  async function make(
    admin: Admin,
    asked: { file: string },
    job: string,
    progress: PlanProgressOf<EffectStep>,
  ): Promise<void> {
    try {
      await workAndKeep(admin, asked, job, progress);
    } catch (error) {
      // Files that come later may have pushed it out meanwhile.
      await requireFile(db, services.identity, admin, asked.file);
      throw error;
    }
  }

  async function workAndKeep(
    admin: Admin,
    { file: id }: { file: string },
    job: string,
    { signal, onStep }: PlanProgressOf<EffectStep>,
  ): Promise<void> {
    const { summary, files } = await requireFile(db, services.identity, admin, id);
    const writer = new EffectWriter(db, id, job);
    await writer.begin();
    const made_at = new Date().toISOString();
    const upload = { file: summary.file, files };
    const { tally, courses, people } = await workOut(askingBy({ services, admin, signal }), db, upload, {
      sink: writer,
      onStep,
    });
    await writer.end();
    signal.throwIfAborted();
    const effect = sisEffect.parse({
      file: id,
      made_at,
      tables: tally.tables(),
      courses,
      people,
      refused: tally.refused,
      not_found: tally.notFound,
      brake: tally.brake(),
      new_courses: [...tally.newCourses.values()],
      notes: tally.notes,
    });
    await db.transaction((tx) => writer.publish(tx, effect));
  }

  return planKind({
    id: SIS_EFFECT,
    tool: 'sis-import',
    input: sisEffectRequest,
    begins: SAID.reading,
    planner: {
      async check(admin, { file: id }) {
        const { summary, importId } = await requireFile(db, services.identity, admin, id);
        // What was confirmed for it must stay as it is.
        if (importId !== null)
          throw new AppError('conflict', {
            message: 'The file has been submitted already, so it is not compared again.',
            next: 'Follow the import.',
          });
        return { label: `Changes in ${summary.file.name}: ${counted(summary.file.rows, 'row')}` };
      },
      make,
    },
    shown: ({ doing, done, total }): ShownStep => ({
      stage: SAID[doing],
      done,
      total,
      unit: 'rows',
      figures: [],
    }),
    actFor: services.actFor,
  });
}

/** The comparison of a file as a kind of job: it starts again after a crash, since reading changes nothing. */

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

const STEP_TEXTS: Readonly<Record<EffectStep['doing'], string>> = {
  reading: 'Reading the file',
  asking: 'Reading the LMS',
  comparing: 'Comparing with the LMS',
};

/** Creates the kind of job. */
export function effectKind(services: EffectServices): StartableKind {
  const { db } = services.db;

  async function make(
    admin: Admin,
    request: { file: string },
    job: string,
    progress: PlanProgressOf<EffectStep>,
  ): Promise<void> {
    try {
      await workAndKeep(admin, request, job, progress);
    } catch (error) {
      // Newer files may have replaced this one in the meantime.
      await requireFile(db, services.identity, admin, request.file);
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
    const createdAt = new Date().toISOString();
    const upload = { file: summary.file, files };
    const { tally, courses, people } = await workOut(askingBy({ services, admin, signal }), db, upload, {
      sink: writer,
      onStep,
    });
    await writer.end();
    signal.throwIfAborted();
    const effect = sisEffect.parse({
      file: id,
      made_at: createdAt,
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
    begins: STEP_TEXTS.reading,
    planner: {
      async check(admin, { file: id }) {
        const { summary, importId } = await requireFile(db, services.identity, admin, id);
        // A confirmed effect must not change.
        if (importId !== null)
          throw new AppError('conflict', {
            message: 'The file has already been submitted, so it is not compared again.',
            next: 'Follow the import in Activity.',
          });
        return { label: `Changes in ${summary.file.name}: ${counted(summary.file.rows, 'row')}` };
      },
      make,
    },
    shown: ({ doing, done, total }): ShownStep => ({
      stage: STEP_TEXTS[doing],
      done,
      total,
      unit: 'rows',
      figures: [],
    }),
    actFor: services.actFor,
  });
}

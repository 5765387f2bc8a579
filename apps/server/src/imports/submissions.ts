/** Submission of imports: a plan, a checked file, or rows entered by hand, each recorded once despite repeats (OP-42). */
import { randomUUID } from 'node:crypto';
import type { SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { deletePieces, storePieces } from '../files/pieces.ts';
import type { Db } from '../platform/database.ts';
import { headerOf, type ManualCsv, rowsByHand } from './rows-by-hand.ts';
import type { ImportSources, Submission } from './sources.ts';
import { createRecorder } from './submit.ts';
import type { SubmitServices } from './work.ts';

export class Submissions {
  readonly #db: Db;
  readonly #sources: ImportSources;
  readonly #recorder: ReturnType<typeof createRecorder>;

  constructor(services: SubmitServices, sources: ImportSources) {
    this.#db = services.db.db;
    this.#sources = sources;
    this.#recorder = createRecorder(services);
  }

  /** Records and starts an import. A repeat with the same key or plan returns the first one. */
  submit(admin: Admin, payload: SubmitPayload, asking: Submission): Promise<SisImport> {
    if (typeof payload === 'string' || Array.isArray(payload))
      return this.#submitRows(admin, payload, null, asking);
    if ('csv' in payload) return this.#submitRows(admin, payload.csv, payload.key ?? null, asking);
    if ('plan' in payload) return this.#submitPlan(admin, payload.plan, asking);
    return this.#submitFile(admin, payload, asking);
  }

  async #submitPlan(admin: Admin, id: string, asking: Submission): Promise<SisImport> {
    const key = `plan ${id}`;
    const first = await this.#recorder.earlier(admin, key);
    if (first) return first;
    return this.#recorder.record(admin, key, await this.#sources.plans.check(admin, id), asking);
  }

  async #submitFile(
    admin: Admin,
    payload: Extract<SubmitPayload, { file: string }>,
    asking: Submission,
  ): Promise<SisImport> {
    const { file } = this.#sources;
    requireTool(admin, ...file.tools);
    const key = `id ${payload.file}`;
    const first = await this.#recorder.earlier(admin, key);
    if (first) return first;
    const { deletions, new_courses: newCourses } = payload;
    const checked = await file.check(admin, payload.file, { deletions, newCourses }, asking);
    return this.#recorder.record(admin, key, checked, asking);
  }

  /** Submits rows. A repeat with the same key finds the first import. The header determines the kind of rows. */
  async #submitRows(
    admin: Admin,
    csv: ManualCsv,
    given: string | null,
    asking: Submission,
  ): Promise<SisImport> {
    const id = randomUUID();
    const key = given === null ? `id ${id}` : `rows ${given}`;
    const first = given === null ? null : await this.#recorder.earlier(admin, key);
    if (first) return first;
    const header = await headerOf(rowsByHand(csv));
    const source = this.#sources.rows.find((one) => one.takes(header));
    if (!source) throw new Error('no kind of rows takes what the others do not');
    const { texts, ...what } = await source.check(admin, csv, asking);
    await storePieces(this.#db, id, asAsync(texts));
    const answer = await this.#recorder.record(admin, key, { ...what, id, csvReady: true }, asking);
    // A concurrent repeat was faster, so its CSV is used.
    if (answer.id !== id) await deletePieces(this.#db, id);
    return answer;
  }
}

async function* asAsync(texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}

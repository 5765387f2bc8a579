/** Everything that Qualtrics remembers of the school. */

import { type Kept, KeptMap } from '../../memory/kept.ts';
import { manyResponses } from '../seed/many.ts';
import { SURVEYS } from '../seed/surveys.ts';
import type {
  AccessToken,
  Continuation,
  ExportFile,
  ExportJob,
  NewResponse,
  Survey,
  SurveyResponse,
} from './model.ts';

export class QualtricsStore {
  readonly #responses = new KeptMap<SurveyResponse>();
  readonly #counters = new KeptMap<number>();
  /** By their progress ids. */
  readonly jobs = new KeptMap<ExportJob>();
  readonly continuations = new KeptMap<Continuation>();
  readonly tokens = new KeptMap<AccessToken>();
  /** Files of exports that were made; they can be made again. By the ids of the files. */
  readonly files = new Map<string, Promise<ExportFile>>();
  /** The same every time, so kept over resets. */
  readonly #made = new Map<string, readonly SurveyResponse[]>();

  /** What is remembered over restarts. */
  kept(): Record<string, Kept> {
    return {
      qualtricsResponses: this.#responses,
      qualtricsCounters: this.#counters,
      qualtricsJobs: this.jobs,
      qualtricsContinuations: this.continuations,
      qualtricsTokens: this.tokens,
    };
  }

  clear(): void {
    for (const map of [this.#responses, this.#counters, this.jobs, this.continuations, this.tokens])
      map.clear();
    this.files.clear();
  }

  survey(id: string): Survey | undefined {
    return SURVEYS.find((survey) => survey.id === id);
  }

  /** Puts one of the first day. */
  seed(response: NewResponse): void {
    this.#responses.set(response.id, { ...response, from: 0, until: null });
  }

  /** How many changes there were since the first day. */
  get revision(): number {
    return this.#counters.get('revision') ?? 0;
  }

  add(response: NewResponse): SurveyResponse {
    const added = { ...response, from: this.#next('revision'), until: null };
    this.#responses.set(added.id, added);
    return added;
  }

  /** False: there is none of this id. An export that began before still has it. */
  remove(id: string): boolean {
    const found = this.#responses.get(id);
    if (!found || found.until !== null) return false;
    this.#responses.set(id, { ...found, until: this.#next('revision') });
    return true;
  }

  /** All that a survey has had, also what was deleted. */
  responsesOf({ id, alsoOf, made }: Survey): readonly SurveyResponse[] {
    const own = [...this.#responses.values()].filter(
      ({ surveyId }) => surveyId === id || surveyId === alsoOf,
    );
    return made === undefined ? own : [...this.#madeOf(id, made), ...own];
  }

  /** The last revision that holds nothing that came after a moment. */
  revisionAt(survey: Survey, moment: number): number {
    let revision = this.revision;
    for (const { from, addedAt } of this.responsesOf(survey))
      if (from > 0 && addedAt > moment) revision = Math.min(revision, from - 1);
    return revision;
  }

  /** A number that nothing of this kind has had. */
  nextNumber(kind: 'job' | 'response' | 'continuation'): number {
    return this.#next(kind);
  }

  #next(kind: string): number {
    const next = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, next);
    return next;
  }

  #madeOf(surveyId: string, count: number): readonly SurveyResponse[] {
    let made = this.#made.get(surveyId);
    if (!made) {
      made = manyResponses(surveyId, count).map((response) =>
        Object.assign(response, { from: 0, until: null }),
      );
      this.#made.set(surveyId, made);
    }
    return made;
  }
}

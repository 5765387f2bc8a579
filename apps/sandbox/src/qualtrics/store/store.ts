/** Everything that Qualtrics stores about the school. */

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
  /** By progress ID. */
  readonly jobs = new KeptMap<ExportJob>();
  readonly continuations = new KeptMap<Continuation>();
  readonly tokens = new KeptMap<AccessToken>();
  /** Files of finished exports, by file ID; they can be created again. */
  readonly files = new Map<string, Promise<ExportFile>>();
  /** Generated responses are identical every time, so they are kept when the sandbox is reset. */
  readonly #generated = new Map<string, readonly SurveyResponse[]>();

  /** Returns the state to save. */
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

  /** Adds an initial response. */
  seed(response: NewResponse): void {
    this.#responses.set(response.id, { ...response, from: 0, until: null });
  }

  /** Returns the number of changes since the seed. */
  get revision(): number {
    return this.#counters.get('revision') ?? 0;
  }

  add(response: NewResponse): SurveyResponse {
    const added = { ...response, from: this.#next('revision'), until: null };
    this.#responses.set(added.id, added);
    return added;
  }

  /**
   * Removes a response, or returns false if the ID is unknown. An export that started earlier still contains
   * the response.
   */
  remove(id: string): boolean {
    const found = this.#responses.get(id);
    if (!found || found.until !== null) return false;
    this.#responses.set(id, { ...found, until: this.#next('revision') });
    return true;
  }

  /** Returns all responses that a survey has ever had, including deleted ones. */
  responsesOf({ id, alsoOf, generated }: Survey): readonly SurveyResponse[] {
    const own = [...this.#responses.values()].filter(
      ({ surveyId }) => surveyId === id || surveyId === alsoOf,
    );
    return generated === undefined ? own : [...this.#generatedOf(id, generated), ...own];
  }

  /** Returns the last revision before anything that arrived after the given time. */
  revisionAt(survey: Survey, moment: number): number {
    let revision = this.revision;
    for (const { from, addedAt } of this.responsesOf(survey))
      if (from > 0 && addedAt > moment) revision = Math.min(revision, from - 1);
    return revision;
  }

  /** Returns an unused number for an object of this kind. */
  nextNumber(kind: 'job' | 'response' | 'continuation'): number {
    return this.#next(kind);
  }

  #next(kind: string): number {
    const next = (this.#counters.get(kind) ?? 0) + 1;
    this.#counters.set(kind, next);
    return next;
  }

  #generatedOf(surveyId: string, count: number): readonly SurveyResponse[] {
    let generated = this.#generated.get(surveyId);
    if (!generated) {
      generated = manyResponses(surveyId, count).map((response) =>
        Object.assign(response, { from: 0, until: null }),
      );
      this.#generated.set(surveyId, generated);
    }
    return generated;
  }
}

/** A response that arrives while the sandbox is running, from the page of a survey or from a test. */

import type { QualtricsContext } from '../http/context.ts';
import { type Ballot, fieldsOf, HALF_WAY, rowOfChoice } from '../seed/votes.ts';
import { idOf } from '../store/ids.ts';
import type { Survey, SurveyResponse } from '../store/model.ts';
import { MINUTE } from '../store/time.ts';

/** Fields that can be given. The others are filled in as for someone who uses the anonymous link. */
export type GivenResponse = Partial<
  Pick<
    SurveyResponse,
    | 'status'
    | 'channel'
    | 'reference'
    | 'email'
    | 'firstName'
    | 'lastName'
    | 'finished'
    | 'recorded'
    | 'answers'
    | 'embedded'
  >
>;

/**
 * Records a response. Unless other input is given, the survey flow fills in the fields behind the choices.
 */
export function recordResponse(
  { store, now }: QualtricsContext,
  survey: Survey,
  given: GivenResponse,
): SurveyResponse {
  const recorded = given.recorded === undefined ? now() : given.recorded;
  const end = recorded ?? now();
  const { answers = {}, finished = true } = given;
  const written = fieldsOf(ballotOf(answers));
  return store.add({
    id: idOf('R', `${survey.id} added ${store.nextNumber('response')}`),
    surveyId: survey.id,
    addedAt: now(),
    start: end - 3 * MINUTE,
    end,
    modified: end,
    status: 0,
    ip: '198.51.100.99',
    progress: finished ? 100 : HALF_WAY.progress,
    duration: HALF_WAY.duration,
    lastName: '',
    firstName: '',
    email: '',
    reference: '',
    latitude: '',
    longitude: '',
    channel: 'anonymous',
    language: 'EN',
    ...given,
    answers,
    finished,
    recorded,
    embedded: { ...written, ...given.embedded },
  });
}

function ballotOf(answers: SurveyResponse['answers']): Ballot {
  return {
    core: rowOfChoice('QID1', Number(answers['QID1'])),
    elective: rowOfChoice('QID2', Number(answers['QID2'])),
  };
}

/** Responses of the large survey, for measuring performance: like the practice survey's, but more of them. */

import type { NewResponse } from '../store/model.ts';
import { MINUTE, SECOND } from '../store/time.ts';
import { rollOfVoters } from './award-list.ts';
import { OPENING } from './surveys.ts';
import { HALF_WAY, Voting } from './votes.ts';

/** Creates responses in the order in which they were recorded, identical every time. */
export function manyResponses(surveyId: string, count: number): NewResponse[] {
  const voting = new Voting(surveyId, 20_261_010, rollOfVoters());
  let last = voting.voter();
  return Array.from({ length: count }, (_, nth) => {
    // One in forty people votes again.
    const voter = nth % 40 === 39 ? last : voting.voter();
    last = voter;
    const recorded = OPENING + MINUTE + nth * 40 * SECOND;
    const response = voting.response(recorded, voter, voting.ballot(voter));
    if (nth % 50 === 7) return { ...response, ...HALF_WAY };
    if (nth % 200 === 11) return { ...response, status: 1, channel: 'preview' };
    if (nth % 500 === 13) return { ...response, status: 8 };
    return response;
  });
}

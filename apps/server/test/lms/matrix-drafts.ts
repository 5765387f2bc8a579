/**
 * Calls to the draft routes in the matrix: each caller has a draft, and another person's draft is treated as
 * missing.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { drafted } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { browserOf, type Person, rowsFor } from './matrix-world.ts';

/** Creates a file with a status that the LMS does not know. */
async function draftOf(browser: Browser) {
  const rows = rowsFor('in').map((row, at) => (at === 0 ? row : [...row.slice(0, 3), 'actif']));
  return { params: { draft: (await drafted(browser, rows.join('\n'))).id } };
}

const own = (_: Person, browser: Browser) => draftOf(browser);
let somebodys: ReturnType<typeof draftOf> | undefined;
const foreign = () => {
  // Every flag except one that has nothing to do with files.
  somebodys ??= draftOf(browserOf('user_search', 'off', 'ALL')[1]);
  return somebodys;
};
const step = { does: 'replace', column: 3, from: 'actif', to: 'active' };

export const DRAFT_CALLS = {
  [`GET ${ENDPOINTS.sisDrafts}`]: { ask: () => ({}) },
  [`DELETE ${ENDPOINTS.sisDraft}`]: { ask: own, foreign: { ask: foreign } },
  [`GET ${ENDPOINTS.sisDraft}`]: { ask: own, foreign: { ask: foreign } },
  [`GET ${ENDPOINTS.sisDraftRows}`]: { ask: own, foreign: { ask: foreign } },
  [`POST ${ENDPOINTS.sisDraftCorrections}`]: {
    ask: async (person: Person, browser: Browser) => ({
      ...(await own(person, browser)),
      body: { version: 1, step },
    }),
    foreign: { ask: async () => ({ ...(await foreign()), body: { version: 1, step } }) },
  },
  [`POST ${ENDPOINTS.sisDraftFile}`]: {
    ask: async (person: Person, browser: Browser) => ({
      ...(await own(person, browser)),
      body: { version: 1 },
    }),
    // The file still has a problem.
    status: 400,
    foreign: { ask: async () => ({ ...(await foreign()), body: { version: 1 } }) },
  },
  [`GET ${ENDPOINTS.sisDraftCsv}`]: { ask: own, foreign: { ask: foreign } },
};

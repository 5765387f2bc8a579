/**
 * Calls to the award routes in the safety matrix. They concern the whole school, so they do not belong to any
 * one person.
 */
import { randomUUID } from 'node:crypto';
import { AWARD_EXPORT, previousList } from '@lms-admin/contract/awards';
import { ENDPOINTS, jobStartPath, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import { answered, cellsOf, replace, someRows, workbookOf } from '../awards/support.ts';
import type { Browser } from '../support/browser.ts';

function list(): FormData {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(workbookOf(someRows(2).map(cellsOf)))], 'list.xlsx'));
  return form;
}

/** Returns the former list, if there are two. */
async function lastButOne(browser: Browser): Promise<{ version: number }> {
  for (const rows of [1, 2]) await replace(browser, someRows(rows));
  const { data } = await answered(browser.fetch(ENDPOINTS.awardPrevious));
  return { version: previousList.parse(data).previous?.version ?? 0 };
}

const plain = () => ({});
const at = (id: string) => () => ({ params: { id } });
const survey = { survey: 'SV_bta2026practice' };
const header = { [OWN_REQUEST.name]: OWN_REQUEST.value };

export const AWARD_CALLS = {
  [`GET ${ENDPOINTS.awardOpening}`]: { ask: () => ({ query: { user_name: 'somebody' } }) },
  [`POST ${ENDPOINTS.awardOpening}`]: { ask: () => ({ body: { opening_date: '2026-03-05' } }) },
  [`GET ${ENDPOINTS.awardCampuses}`]: { ask: () => ({ query: { user_id: 'somebody' } }) },
  [`GET ${ENDPOINTS.awardUpdated}`]: { ask: plain },
  [`GET ${ENDPOINTS.awardList}`]: { ask: plain },
  [`POST ${ENDPOINTS.awardList}`]: { ask: () => ({ body: someRows(2) }) },
  [`POST ${ENDPOINTS.awardCheck}`]: { ask: () => ({ form: list() }) },
  [`GET ${ENDPOINTS.awardPrevious}`]: { ask: plain },
  [`POST ${ENDPOINTS.awardRestore}`]: {
    ask: async (_: unknown, browser: Browser) => ({ body: await lastButOne(browser) }),
  },
  [`GET ${ENDPOINTS.awardStats}`]: { ask: plain },
  [`GET ${ENDPOINTS.awardRefresh}`]: { ask: () => ({ params: survey, headers: header }) },
  [`POST ${ENDPOINTS.awardRefresh}`]: { ask: () => ({ params: survey }) },
  [`GET ${ENDPOINTS.awardByProf}`]: { ask: at('Prof') },
  [`GET ${ENDPOINTS.awardCore}`]: { ask: at('SGP') },
  [`GET ${ENDPOINTS.awardElective}`]: { ask: at('SGP') },
  [`POST ${jobStartPath(AWARD_EXPORT)}`]: {
    ask: () => ({
      body: { key: randomUUID(), input: { view: 'by-campus', campus: 'SGP', type: 'core' } },
    }),
  },
};

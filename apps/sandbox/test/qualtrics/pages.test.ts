/** Pages for people: the survey's page, and the front page. */
import { expect, test } from 'vitest';
import { DRAFT, filesIn, SURVEY, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();

const vote = (fields: Record<string, string>, way = 'form', survey = SURVEY) =>
  fetch(`${qualtrics.url}/qualtrics/jfe/${way}/${survey}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });

test('§12 a vote on the page is in the next export, with all fields of the survey flow', async () => {
  const page = await (await fetch(`${qualtrics.url}/qualtrics/jfe/form/${SURVEY}`)).text();
  expect(page).toContain('<select id="QID1"');
  const [, value = '', label = ''] = /<option value="(\d+)">([^<]+)<\/option>/.exec(page) ?? [];
  const answer = await vote({ QID1: value, QID2: 'nothing', QID3: 'Très <b>bien</b>\nreally' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Thank you');
  const last = (await qualtrics.rows({ useLabels: true })).at(-1);
  expect(last).toMatchObject({
    Status: 'IP Address',
    DistributionChannel: 'anonymous',
    ExternalReference: '',
    CoreVote: label,
    CoreReason: 'Très <b>bien</b>\nreally',
    ElectiveVote: '',
  });
  expect(label).toBe(
    `${last?.['coreChoiceCourseName']} – ${last?.['coreChoiceProfessor']} (${last?.['coreChoiceCampus']})`,
  );
  expect(last?.['coreChoiceProfId']).toMatch(/^\d+$/);
});

test('a preview is marked as a preview, and a closed survey has no page', async () => {
  expect((await vote({ QID1: '1' }, 'preview')).status).toBe(200);
  expect((await qualtrics.rows()).at(-1)).toMatchObject({ Status: '1', DistributionChannel: 'preview' });
  expect((await vote({ QID1: '1' }, 'form', DRAFT)).status).toBe(404);
  expect((await vote({}, 'form', 'SV_nothing12345')).status).toBe(404);
});

test('the front page shows how to sign in, and links to the survey and the list', async () => {
  const page = await (await fetch(qualtrics.url)).text();
  expect(page).toContain('X-API-TOKEN');
  expect(page).toContain('sandbox-qualtrics-client');
  expect(page).toContain(`/qualtrics/jfe/form/${SURVEY}`);
  expect(page).toContain('/sandbox/qualtrics/award-list');
});

test('BTA-31, BTA-38 the award’s list is a workbook that can be uploaded', async () => {
  const response = await fetch(`${qualtrics.url}/sandbox/qualtrics/award-list.xlsx`);
  expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet');
  const files = await filesIn(Buffer.from(await response.arrayBuffer()));
  const texts = files.find(({ name }) => name === 'xl/sharedStrings.xml')?.text ?? '';
  for (const name of ['Campus', 'Course ID', 'Prof ID', 'Professor', 'Type', 'François Nakamura'])
    expect(texts).toContain(`>${name}<`);
  const rows = files.find(({ name }) => name.startsWith('xl/worksheets/'))?.text.match(/<row /g) ?? [];
  expect(rows).toHaveLength(65);
});

test('the sandbox’s endpoints reject unknown input', async () => {
  for (const [method, path, body] of [
    ['PUT', '', { exportMs: -1 }],
    ['PUT', '', { colour: 'blue' }],
    ['POST', '/surveys/SV_nothing12345/responses', {}],
    ['POST', `/surveys/${SURVEY}/responses`, { status: 3 }],
    ['DELETE', '/responses/R_nothing', undefined],
  ] as const)
    expect(await qualtrics.handle(method, `/sandbox/qualtrics${path}`, body)).toHaveProperty('error');
});

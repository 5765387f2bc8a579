/** Calls to the access routes, for the matrix of routes. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { courses, type Person } from './matrix-world.ts';

/** Returns a record that does not affect anyone in the matrix. */
const change = () => ({
  changes: [
    {
      login: `${randomUUID()}@matrix.example`,
      version: null,
      record: { perm: 'CUSTOM', email: 'new@matrix.example', user_search: true },
    },
  ],
  why: 'matrix',
});
const question = () => ({ action: 'course-add', role: '3', course: String(courses.in.id) });

export const ACCESS_CALLS = {
  // The answer names the person's programmes.
  [`GET ${ENDPOINTS.accessMe}`]: { for: 'signed-in' as const, asksLms: true as const, ask: () => ({}) },
  [`GET ${ENDPOINTS.accessFollow}`]: { for: 'signed-in' as const, ask: () => ({}) },
  [`GET ${ENDPOINTS.accessPeople}`]: { ask: () => ({}) },
  [`GET ${ENDPOINTS.accessPlaces}`]: { asksLms: true as const, ask: () => ({}) },
  [`GET ${ENDPOINTS.accessDrift}`]: { asksLms: true as const, ask: () => ({}) },
  [`GET ${ENDPOINTS.accessLogins}`]: { asksLms: true as const, ask: () => ({}) },
  [`GET ${ENDPOINTS.accessCheck}`]: { ask: ({ login }: Person) => ({ query: { person: login } }) },
  [`GET ${ENDPOINTS.accessQuestion}`]: {
    ask: ({ login }: Person) => ({ query: { ...question(), person: login } }),
  },
  [`GET ${ENDPOINTS.accessWho}`]: { ask: () => ({ query: question() }) },
  [`POST ${ENDPOINTS.accessReview}`]: { ask: () => ({ body: change() }) },
  [`POST ${ENDPOINTS.accessSave}`]: { ask: () => ({ body: change() }) },
  [`GET ${ENDPOINTS.accessRequests}`]: { ask: () => ({}) },
  // Requests, and who can decide about them, are tested in `access/four-eyes.test.ts`.
  [`POST ${ENDPOINTS.accessRequest}`]: {
    ask: () => ({ params: { request: randomUUID() }, body: { approve: true } }),
    status: 404,
  },
  [`GET ${ENDPOINTS.accessHistory}`]: { ask: () => ({}) },
  [`GET ${ENDPOINTS.accessHistoryCsv}`]: { ask: () => ({}) },
};

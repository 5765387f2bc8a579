/** Access over HTTP: the administrator's own access, and the records that access administrators see and change. */
import {
  type AccessChange,
  type AccessQuestion,
  accessAnswer,
  accessDrift,
  accessHistory,
  accessLogins,
  accessPeople,
  accessPlaces,
  accessRequests,
  accessReview,
  accessSaved,
  accessWho,
  personAccess,
} from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { getJson, postJson, type QueryPairs, send } from './client.ts';
import { queryClient } from './queries.ts';

const KEY = 'access';

/** Marks everything read about access as stale. */
export function accessChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [KEY] });
}

/** Asks the server whether the administrator's access has changed. The answer updates the session. */
export async function followAccess(): Promise<void> {
  await send(ENDPOINTS.accessFollow, { quiet401: true });
}

export const ownAccessQuery = queryOptions({
  queryKey: [KEY, 'me'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessMe, personAccess, { signal }),
  staleTime: 0,
});

export const peopleQuery = queryOptions({
  queryKey: [KEY, 'people'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessPeople, accessPeople, { signal }),
  staleTime: 0,
});

export const loginsQuery = queryOptions({
  queryKey: [KEY, 'logins'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessLogins, accessLogins, { signal }),
});

export const placesQuery = queryOptions({
  queryKey: ['access-places'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessPlaces, accessPlaces, { signal }),
});

export const personQuery = (person: string) =>
  queryOptions({
    queryKey: [KEY, 'person', person],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.accessCheck, personAccess, { query: [['person', person]], signal }),
    staleTime: 0,
  });

function pairsOf(question: AccessQuestion): QueryPairs {
  return Object.entries(question).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}

export const answerQuery = (person: string, question: AccessQuestion) =>
  queryOptions({
    queryKey: [KEY, 'answer', person, question],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.accessQuestion, accessAnswer, {
        query: [['person', person], ...pairsOf(question)],
        signal,
      }),
    staleTime: 0,
  });

export const whoQuery = (question: AccessQuestion) =>
  queryOptions({
    queryKey: [KEY, 'who', question],
    queryFn: ({ signal }) => getJson(ENDPOINTS.accessWho, accessWho, { query: pairsOf(question), signal }),
    staleTime: 0,
  });

export const driftQuery = queryOptions({
  queryKey: [KEY, 'drift'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessDrift, accessDrift, { signal }),
  staleTime: 0,
});

export const requestsQuery = queryOptions({
  queryKey: [KEY, 'requests'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.accessRequests, accessRequests, { signal }),
  staleTime: 0,
});

export const historyQuery = infiniteQueryOptions({
  queryKey: [KEY, 'history'],
  queryFn: ({ signal, pageParam }) =>
    getJson(ENDPOINTS.accessHistory, accessHistory, {
      query: pageParam === null ? [] : [['before', String(pageParam)]],
      signal,
    }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ lines, more }) => (more ? (lines.at(-1)?.id ?? null) : null),
  staleTime: 0,
});

export function reviewChanges(changes: readonly AccessChange[]) {
  return postJson(ENDPOINTS.accessReview, { changes }, accessReview);
}

export function saveChanges(changes: readonly AccessChange[], why: string) {
  return postJson(ENDPOINTS.accessSave, { changes, why }, accessSaved);
}

export function decideRequest(id: string, approve: boolean) {
  return postJson(ENDPOINTS.accessRequest.replace(':request', id), { approve }, accessSaved);
}

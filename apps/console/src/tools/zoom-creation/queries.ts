/** The requests of a course's dialog: the course, its events page by page, the hosts, and the preview of a change. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  ZOOM_CHANGE,
  type ZoomChange,
  type ZoomEvent,
  type ZoomOpenChange,
  zoomOpenChange,
  zoomOwners,
} from '@lms-admin/contract/zoom';
import { zoomPreview } from '@lms-admin/contract/zoom-preview';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson, invoke, invokePages, postJson } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { lastDay } from './days.ts';

/** Defines the query for the course itself: whether it exists, and its name (ZC-40, OP-65). */
export const courseQuery = (course: number) =>
  queryOptions({
    queryKey: ['zoom', 'course', course],
    queryFn: async ({ signal }) => (await invoke('course', { course }, [], { signal })).data,
  });

export interface Loaded {
  events: readonly ZoomEvent[];
  /** Whether all events are loaded. */
  done: boolean;
}

/** Defines the query for the events of a course in the 30 days from a day, shown from the first page on (ZC-39). */
export const eventsQuery = (course: number, from: string) =>
  queryOptions<Loaded>({
    queryKey: ['zoom', 'events', course, from],
    queryFn: async ({ signal, queryKey }) => {
      const events: ZoomEvent[] = [];
      // An existing list stays until the new one is complete.
      const first = queryClient.getQueryData<Loaded>(queryKey)?.done !== true;
      const query: [string, string][] = [
        ['context_codes[]', `course_${course}`],
        ['type', 'event'],
        ['start_date', from],
        ['end_date', lastDay(from)],
        ['per_page', String(LMS_PAGE_SIZE)],
      ];
      for await (const { data } of invokePages('calendar-events', {}, query, { signal })) {
        events.push(...data);
        if (first) queryClient.setQueryData<Loaded>(queryKey, { events: [...events], done: false });
      }
      return { events, done: true };
    },
    // Read again whenever the course is opened, because others may have changed the list.
    staleTime: 0,
  });

/** The possible hosts of meetings, with the remainder of their daily limit (ZC-19, ZC-41). */
export const ownersQuery = queryOptions({
  queryKey: ['zoom', 'owners'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.zoomSchedulers, zoomOwners, { signal }),
});

/** Defines the query for the preview of a change. */
export const previewQuery = (change: ZoomChange | null) =>
  queryOptions({
    queryKey: ['zoom', 'preview', change],
    queryFn: ({ signal }) => postJson(ENDPOINTS.zoomPreview, change, zoomPreview, { signal }),
    enabled: change !== null,
    staleTime: 0,
    gcTime: 0,
  });

const openChanges = z.array(zoomOpenChange);
/** Milliseconds between two polls of other running work. */
const OTHERS_MS = 5_000;

/** Changes to a course that have not ended, including those by other administrators. */
export const openChangesQuery = (course: number) =>
  queryOptions<ZoomOpenChange[]>({
    queryKey: ['jobs', ZOOM_CHANGE, 'open', course],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.zoomOpenChanges.replace(':course', String(course)), openChanges, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? OTHERS_MS : false),
    retry: false,
  });

/** Loads the course and the hosts' daily limits again after a change. */
export async function renewCourse(course: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['zoom', 'events', course] }),
    queryClient.invalidateQueries({ queryKey: ['zoom', 'owners'] }),
    queryClient.invalidateQueries({ queryKey: ['zoom', 'preview'] }),
  ]);
}

/** What the dialog of a course reads: the course, its events as they come, the hosts, and what a change would do. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  ZOOM_CHANGE,
  type ZoomChange,
  type ZoomEvent,
  type ZoomOpenChange,
  zoomOpenChange,
  zoomOwners,
  zoomPreview,
} from '@lms-admin/contract/zoom';
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson, invoke, invokePages, postJson } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { lastDay } from './days.ts';

/** The course itself: whether it is there, and what it is called (ZC-40, OP-65). */
export const courseQuery = (course: number) =>
  queryOptions({
    queryKey: ['zoom', 'course', course],
    queryFn: async ({ signal }) => (await invoke('course', { course }, [], { signal })).data,
  });

export interface Loaded {
  events: readonly ZoomEvent[];
  /** Whether all have come. */
  done: boolean;
}

/** The events of a course in the 30 days from a day, shown from the first page on (ZC-39). */
export const eventsQuery = (course: number, from: string) =>
  queryOptions<Loaded>({
    queryKey: ['zoom', 'events', course, from],
    queryFn: async ({ signal, queryKey }) => {
      const events: ZoomEvent[] = [];
      // A list that is there already stays until the new one has come as a whole.
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
    // What others have changed meanwhile is looked at again whenever the course is opened.
    staleTime: 0,
  });

/** Who may own meetings, with what is left of their day (ZC-19, ZC-41). */
export const ownersQuery = queryOptions({
  queryKey: ['zoom', 'owners'],
  queryFn: ({ signal }) => getJson(ENDPOINTS.zoomSchedulers, zoomOwners, { signal }),
});

/** What a change would do. */
export const previewQuery = (change: ZoomChange | null) =>
  queryOptions({
    queryKey: ['zoom', 'preview', change],
    queryFn: ({ signal }) => postJson(ENDPOINTS.zoomPreview, change, zoomPreview, { signal }),
    enabled: change !== null,
    staleTime: 0,
    gcTime: 0,
  });

const openChanges = z.array(zoomOpenChange);
/** Milliseconds between two polls of other work that goes on. */
const OTHERS_MS = 5_000;

/** Changes of a course that have not ended, also those of others. */
export const openChangesQuery = (course: number) =>
  queryOptions<ZoomOpenChange[]>({
    queryKey: ['jobs', ZOOM_CHANGE, 'open', course],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.zoomOpenChanges.replace(':course', String(course)), openChanges, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? OTHERS_MS : false),
    retry: false,
  });

/** After a change: what is shown of the course, and of the hosts' days, is read again. */
export async function renewCourse(course: number): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['zoom', 'events', course] }),
    queryClient.invalidateQueries({ queryKey: ['zoom', 'owners'] }),
    queryClient.invalidateQueries({ queryKey: ['zoom', 'preview'] }),
  ]);
}

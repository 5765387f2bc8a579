/** The sections of a course, with how many students are in each. */
import type { Section } from '@lms-admin/contract/canvas-objects';
import { queryOptions } from '@tanstack/react-query';
import { invokePages } from '../../api/client.ts';
import { byName } from './assignments.ts';

export function sectionsQuery(course: number) {
  return queryOptions({
    queryKey: ['lms', 'sections', course],
    queryFn: async ({ signal }) => {
      const all: Section[] = [];
      const query: [string, string][] = [
        ['per_page', '100'],
        ['include[]', 'total_students'],
      ];
      for await (const { data } of invokePages('sections', { course }, query, { signal })) all.push(...data);
      return all.sort(byName);
    },
  });
}

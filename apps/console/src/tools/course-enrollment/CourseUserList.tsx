import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { plannedPerson } from '@lms-admin/contract/enrollments';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { type ListedPerson, UserListDialog } from '../../components/UserListDialog/UserListDialog.tsx';
import { texts } from './texts.ts';

export interface CourseUserListProps {
  open: boolean;
  plan: string;
  course: { id: number; name: string };
  onClose: () => void;
}

/** 'User List' of one course: who is found and what happens to each; asked of the server when it is opened. */
export function CourseUserList({ open, plan, course, onClose }: CourseUserListProps) {
  const query = useQuery({
    queryKey: ['enrollment-plan', plan, 'people', course.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const path = ENDPOINTS.planPeople.replace(':plan', encodeURIComponent(plan));
      const people = await getJson(path, z.array(plannedPerson), {
        query: [['course', String(course.id)]],
        signal,
      });
      return people.map(
        (person): ListedPerson => ({
          name: person.name,
          email: person.email,
          sisId: person.sis_user_id,
          change: texts.changeOf(person.change, person.sections),
        }),
      );
    },
  });
  return (
    <UserListDialog
      open={open}
      of={course.name}
      people={query.data ?? null}
      error={query.isFetching ? null : query.error}
      onRetry={() => void query.refetch()}
      onClose={onClose}
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { type ListedPerson, UserListDialog } from '../UserListDialog/UserListDialog.tsx';

export interface PlanUserListProps<S extends z.ZodType> {
  open: boolean;
  /** Endpoint of the people of a plan; `:plan` represents its ID. */
  endpoint: string;
  plan: string;
  /** Which list of the plan: name and value in the query. */
  of: readonly ['course' | 'section', number];
  /** The role, if the plan contains a section with several roles. */
  role?: number;
  /** The enrolment state, if people of one section get different states. */
  status?: string;
  title: string;
  /** Schema of one person. Keep its identity, and that of `listed`, between renders. */
  person: S;
  listed: (person: z.output<S>) => ListedPerson;
  onClose: () => void;
}

/** 'User List' of one course or section: each person found with their change; loaded when it is opened. */
export function PlanUserList<S extends z.ZodType>(props: PlanUserListProps<S>) {
  const { open, endpoint, plan, of, role, status, title, person, listed, onClose } = props;
  const [kind, id] = of;
  const query = useQuery({
    queryKey: [endpoint, plan, kind, id, role, status],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const path = endpoint.replace(':plan', encodeURIComponent(plan));
      const query: [string, string][] = [
        [kind, String(id)],
        ...(role === undefined ? [] : [['role', String(role)] as [string, string]]),
        ...(status === undefined ? [] : [['status', status] as [string, string]]),
      ];
      const people = await getJson(path, z.array(person), { query, signal });
      return people.map(listed);
    },
  });
  return (
    <UserListDialog
      open={open}
      of={title}
      people={query.data ?? null}
      error={query.isFetching ? null : query.error}
      onRetry={() => void query.refetch()}
      onClose={onClose}
    />
  );
}

import type { Role } from '@lms-admin/contract/canvas-objects';
import { assignableRoleIds, type RoleLevel } from '@lms-admin/domain/access';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { invokePages } from '../api/client.ts';
import { useProfile } from '../api/session.ts';

const rolesQuery = queryOptions({
  queryKey: ['lms', 'roles'],
  staleTime: 300_000,
  queryFn: async ({ signal }) => {
    const all: Role[] = [];
    for await (const { data } of invokePages('roles', {}, undefined, { signal })) all.push(...data);
    return all;
  },
});

/**
 * Loads the roles that this administrator can give at a level (PERM-10 to PERM-12); the server checks again (OP-34).
 */
export function useRoles(level: RoleLevel) {
  const { sub_account } = useProfile();
  const query = useQuery(rolesQuery);
  const options = useMemo(() => {
    const mayGive = new Set(assignableRoleIds(sub_account, level));
    return (query.data ?? []).filter((role) => mayGive.has(role.id)).map(({ id, label }) => ({ id, label }));
  }, [query.data, sub_account, level]);
  return {
    options,
    loading: query.isPending,
    error: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** Texts of Search Users (area USR), verbatim. */
export const searchUsersMessages = {
  search: 'Search Users', // USR-01
  columns: { id: 'ID', name: 'Name', login: 'Login Id', sis: 'SIS ID', created: 'Created At' }, // USR-02
  none: 'No Users Found.', // USR-03
} as const;

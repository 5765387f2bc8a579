/** `GET accounts/:id/admins`: an account's own administrators. */
import { expect, test } from 'vitest';
import { useSandbox } from './client.ts';

const client = useSandbox();

test('lists the administrators of the account itself with their roles and logins, filtered by user_id', async () => {
  const root = await client.ask('/api/v1/accounts/1/admins?per_page=100');
  expect(root.status).toBe(200);
  const admins = root.body as unknown as {
    id: number;
    role: string;
    user: { id: number; login_id: string };
    workflow_state: string;
  }[];
  expect(admins.map(({ user }) => user.login_id)).toContain('alma.reyes@northbridge.example');
  expect(new Set(admins.map(({ role, workflow_state }) => `${role} ${workflow_state}`))).toEqual(
    new Set(['AccountAdmin active']),
  );
  const [first] = admins;
  const one = await client.ask(`/api/v1/accounts/1/admins?user_id[]=${first?.user.id}`);
  expect(one.body).toMatchObject([{ id: first?.id }]);
  expect((await client.ask('/api/v1/accounts/86/admins')).body).toEqual([]);
  expect((await client.ask('/api/v1/accounts/999999/admins')).status).toBe(404);
});

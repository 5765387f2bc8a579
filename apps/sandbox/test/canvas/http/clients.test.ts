import { CanvasApi } from '@kth/canvas-api';
import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, useSandbox } from './client.ts';

const client = useSandbox();
const canvas = () => new CanvasApi(`${client.url}/api/v1`, ADMIN_TOKEN);

describe('a real client: @kth/canvas-api', () => {
  test('§6.1 reads a single object', async () => {
    const { json } = await canvas().get('accounts/1');
    expect(json).toMatchObject({ id: 1, name: 'Northbridge Business School' });
  });

  test('§4 reads a list page by page', async () => {
    const seen: number[] = [];
    for await (const course of canvas().listItems('accounts/86/courses', { per_page: 50 })) {
      seen.push((course as { id: number }).id);
    }
    const all = client.world.coursesUnder(86).filter((course) => course.workflow_state !== 'deleted');
    expect(seen).toEqual(all.map((course) => course.id));
  });

  test('§7.1 sends an import, which can then be read', async () => {
    const csv = 'user_id,login_id,first_name,last_name,status\nK1,k1@northbridge.example,Kay,One,active\n';
    const { json } = await canvas().sisImport(new File([csv], 'users.csv'));
    const { id } = json as { id: number };
    let state = '';
    for (let i = 0; i < 100 && !state.startsWith('imported'); i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const answer = await canvas().get(`accounts/1/sis_imports/${id}`);
      state = (answer.json as { workflow_state: string }).workflow_state;
    }
    expect(state).toBe('imported');
    const { json: user } = await canvas().get('users/sis_user_id:K1');
    expect(user).toMatchObject({ name: 'Kay One', login_id: 'k1@northbridge.example' });
  });
});

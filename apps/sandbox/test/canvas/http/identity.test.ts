import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/server.ts';
import { useSandbox } from './client.ts';

const client = useSandbox();

const uuidOf = async (id: string) => (await client.api(`/accounts/${id}`)).body['uuid'] as unknown as string;

test('§6.1 the root account identifies the sandbox, until a reset creates a new one', async () => {
  const campus = await uuidOf('1');
  expect(campus).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(await uuidOf('1')).toBe(campus);
  const office = await uuidOf('301');
  expect(office).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(office).not.toBe(campus);
  expect((await client.api(`/accounts/uuid:${campus}`)).body).toMatchObject({ id: 1 });
  expect((await client.api(`/accounts/uuid:${office}`)).body).toMatchObject({ id: 301 });

  await client.ask('/sandbox/reset', { method: 'POST' });
  expect(await uuidOf('1')).not.toBe(campus);
  expect(await uuidOf('301')).not.toBe(office);
});

test('§6.1 two sandboxes always differ, unless the caller sets the identity', async () => {
  const another = await startSandbox({ port: 0, mode: 'test' });
  const fixed = await startSandbox({ port: 0, mode: 'test', campusUuid: 'a'.repeat(40) });
  try {
    expect(another.world.identity.uuid).not.toBe(client.world.identity.uuid);
    fixed.reset();
    expect(fixed.world.identity.uuid).toBe('a'.repeat(40));
  } finally {
    await Promise.all([another.close(), fixed.close()]);
  }
});

/** Updating, transferring, deleting and restoring (Zoom reference §9, §10). */
import { describe, expect, test } from 'vitest';
import { ALMA, BASIC, BRUNO, CARLA, DAY, FARID, HUGO, type Json, SERVICE, useZoom } from './client.ts';

const zoom = useZoom();
const patch = (meeting: Json, fields: object) =>
  zoom.call('PATCH', `/meetings/${String(meeting['id'])}`, fields);
const remove = (meeting: Json, query = '') =>
  zoom.call('DELETE', `/meetings/${String(meeting['id'])}${query}`);

test('only given fields change; settings are merged; the answer has no body', async () => {
  const before = await zoom.make(HUGO, { agenda: 'A', settings: { join_before_host: true } });
  const answer = await patch(before, { topic: 'Other', settings: { host_video: true, waiting_room: false } });
  expect([answer.status, answer.text]).toEqual([204, '']);
  const { settings, ...rest } = await zoom.read(before['id']);
  const { settings: then, ...others } = before;
  expect(rest).toEqual({ ...others, topic: 'Other' });
  expect(settings).toEqual({ ...(then as Json), host_video: true });
});

test('a new passcode changes the link but not the number; the old link stops working', async () => {
  const before = await zoom.make(HUGO);
  await patch(before, { password: 'another-1' });
  const after = await zoom.read(before['id']);
  expect(after['password']).toBe('another-1');
  const [then, now] = [before, after].map((each) => new URL(String(each['join_url'])));
  expect(now?.pathname).toBe(then?.pathname);
  expect(now?.search).not.toBe(then?.search);
  expect((await zoom.ask('GET', String(before['join_url']))).text).toContain(
    'passcode in this link is wrong',
  );
  await patch(before, { password: before['password'] });
  expect((await zoom.read(before['id']))['join_url']).toBe(before['join_url']);
});

test('a passcode can be removed only if none of the host’s settings requires one', async () => {
  const [ofFarid, ofHugo] = [await zoom.make(FARID, { password: 'chosen-1' }), await zoom.make(HUGO)];
  await patch(ofFarid, { password: '' });
  await patch(ofHugo, { password: '' });
  expect((await zoom.read(ofFarid['id']))['join_url']).not.toContain('pwd');
  expect(await zoom.read(ofHugo['id'])).toEqual(ofHugo);
});

test('local times are in the meeting’s zone; a time in the past becomes now', async () => {
  const meeting = await zoom.make(HUGO, { timezone: 'Asia/Singapore' });
  await patch(meeting, { start_time: '2026-10-08T09:00:00' });
  expect((await zoom.read(meeting['id']))['start_time']).toBe('2026-10-08T01:00:00Z');
  await patch(meeting, { timezone: 'Europe/Paris' });
  expect(await zoom.read(meeting['id'])).toMatchObject({
    start_time: '2026-10-08T01:00:00Z',
    timezone: 'Europe/Paris',
  });
  await patch(meeting, { start_time: '2026-09-01T09:00:00Z' });
  expect((await zoom.read(meeting['id']))['start_time']).toBe('2026-10-05T08:00:00Z');
});

test('a rejected update changes nothing, whatever else it contains', async () => {
  const before = await zoom.make(HUGO, { settings: { alternative_hosts: ALMA } });
  const refused: [object, number][] = [
    [{ topic: 'New', agenda: 'x'.repeat(2001) }, 300],
    [{ topic: 'New', settings: { alternative_hosts: BASIC } }, 1114],
    [{ topic: 'New', schedule_for: CARLA }, 3000],
    [{ topic: 'New', schedule_for: 'nobody' }, 300],
  ];
  for (const [fields, code] of refused) {
    expect(await patch(before, fields)).toMatchObject({ status: 400, body: { code } });
    expect(await zoom.read(before['id'])).toEqual(before);
  }
});

test('some settings are silently ignored, such as the approval type of a meeting without times', async () => {
  const meeting = await zoom.make(HUGO, { type: 3 });
  expect((await patch(meeting, { settings: { approval_type: 0 } })).status).toBe(204);
  expect((await zoom.read(meeting['id']))['settings']).toMatchObject({ approval_type: 2 });
});

test('a started meeting cannot be changed (3000) or deleted (3002)', async () => {
  const meeting = await zoom.make(HUGO);
  const handle = (what: string) =>
    zoom.ask('POST', `/sandbox/zoom/meetings/${String(meeting['id'])}/${what}`);
  await handle('start');
  expect(await zoom.read(meeting['id'])).toMatchObject({ status: 'started' });
  expect(await patch(meeting, { topic: 'x' })).toMatchObject({ status: 400, body: { code: 3000 } });
  expect(await remove(meeting)).toMatchObject({ status: 400, body: { code: 3002 } });
  await handle('end');
  expect((await patch(meeting, { topic: 'x' })).status).toBe(204);
});

test('each instance of a meeting has its own uuid; a finished instant meeting cannot be deleted (3007)', async () => {
  const hold = async ({ id }: Json) => {
    await zoom.ask('POST', `/sandbox/zoom/meetings/${String(id)}/start`);
    expect((await zoom.call('PUT', `/meetings/${String(id)}/status`, { action: 'end' })).status).toBe(204);
  };
  const planned = await zoom.make(HUGO);
  await hold(planned);
  const after = await zoom.read(planned['id']);
  expect(after['uuid']).toMatch(/==$/);
  expect(after).toEqual({ ...planned, uuid: expect.not.stringContaining(String(planned['uuid'])) });
  expect((await remove(planned)).status).toBe(204);
  const instant = await zoom.make(HUGO, { type: 1 });
  await hold(instant);
  expect(await remove(instant)).toMatchObject({ status: 400, body: { code: 3007 } });
});

test('emails about a change go to new alternative hosts, and to the others if it concerns them', async () => {
  const meeting = await zoom.make(HUGO, { settings: { alternative_hosts: ALMA } });
  await zoom.ask('DELETE', '/sandbox/zoom/mails');
  await patch(meeting, { agenda: 'New', settings: { alternative_hosts: `${BRUNO};${ALMA}` } });
  expect(await zoom.mails()).toEqual(['alternative-host bruno.keller']);
  await patch(meeting, { duration: 30 });
  expect((await zoom.mails()).slice(1)).toEqual([
    'meeting-changed bruno.keller',
    'meeting-changed alma.reyes',
  ]);
  await patch(meeting, { duration: 45, settings: { alternative_hosts_email_notification: false } });
  expect(await zoom.mails()).toHaveLength(3);
});

describe('changing the host (§10)', () => {
  const host = async (meeting: Json) => (await zoom.read(meeting['id']))['host_email'];

  test('host_id and host_email have no effect', async () => {
    const meeting = await zoom.make(SERVICE);
    expect((await patch(meeting, { host_id: await zoom.idOf(HUGO), host_email: HUGO })).status).toBe(204);
    expect(await host(meeting)).toBe(SERVICE);
  });

  test('§3 an instant meeting cannot be transferred', async () => {
    const instant = await zoom.make(BRUNO, { start_time: undefined });
    expect(await patch(instant, { schedule_for: HUGO })).toMatchObject({ status: 400, body: { code: 3000 } });
    expect((await zoom.read(instant['id']))['host_email']).toBe(BRUNO);
  });

  test('schedule_for transfers the meeting to a person who lets the host schedule: number, link and passcode stay', async () => {
    const before = await zoom.make(SERVICE, { agenda: 'A' });
    expect((await patch(before, { schedule_for: HUGO })).status).toBe(204);
    const after = await zoom.read(before['id']);
    expect(after).toEqual({ ...before, host_id: await zoom.idOf(HUGO), host_email: HUGO });
    expect((await zoom.call('GET', `/users/${SERVICE}/meetings`)).text).not.toContain(String(before['id']));
    expect((await zoom.call('GET', `/users/${HUGO}/meetings`)).text).toContain(String(before['id']));
  });

  test('neither the app owner’s privilege nor one in the opposite direction allows the host to transfer', async () => {
    const ofBruno = await zoom.make(BRUNO);
    // Alma lets the service account schedule, but not Bruno.
    expect(await patch(ofBruno, { schedule_for: ALMA })).toMatchObject({
      status: 400,
      body: { code: 3000, message: `You cannot schedule a meeting for ${ALMA}` },
    });
    expect((await patch(ofBruno, { schedule_for: HUGO })).status).toBe(204);
    expect(await patch(ofBruno, { schedule_for: BRUNO })).toMatchObject({
      status: 400,
      body: { code: 3000 },
    });
    expect(await host(ofBruno)).toBe(HUGO);
  });

  test('both people need a licence', async () => {
    const next = await zoom.freshHost();
    const meeting = await zoom.make(SERVICE);
    await zoom.ask('PATCH', `/sandbox/zoom/users/${next}`, { type: 1 });
    expect(await patch(meeting, { schedule_for: next })).toMatchObject({ status: 400, body: { code: 3000 } });
    await zoom.ask('PATCH', `/sandbox/zoom/users/${next}`, { type: 2 });
    expect((await patch(meeting, { schedule_for: next })).status).toBe(204);
  });

  test('the new host stops being an alternative host', async () => {
    const meeting = await zoom.make(SERVICE, { settings: { alternative_hosts: `${HUGO};${ALMA}` } });
    await patch(meeting, { schedule_for: HUGO });
    expect(await zoom.read(meeting['id'])).toMatchObject({
      host_email: HUGO,
      settings: { alternative_hosts: ALMA },
    });
  });
});

describe('deleting', () => {
  test('a first delete is a 204, a second a 3001; the meeting can be restored for some days', async () => {
    const meeting = await zoom.make(HUGO);
    expect((await remove(meeting)).status).toBe(204);
    expect(await remove(meeting)).toMatchObject({ status: 404, body: { code: 3001 } });
    expect((await zoom.read(meeting['id']))['code']).toBe(3001);
    expect((await patch(meeting, {})).body['code']).toBe(3001);
    const status = (action: string) =>
      zoom.call('PUT', `/meetings/${String(meeting['id'])}/status`, { action });
    expect((await status('undo')).body['code']).toBe(300);
    expect((await status('recover')).status).toBe(204);
    expect(await zoom.read(meeting['id'])).toEqual(meeting);
    expect((await status('recover')).body['code']).toBe(3001);
    await remove(meeting);
    zoom.clock.at += 7 * DAY;
    expect((await status('recover')).body['code']).toBe(3001);
  });

  test('the host and alternative hosts receive emails if the first flag says so', async () => {
    const settings = { alternative_hosts: ALMA, alternative_hosts_email_notification: false };
    await remove(await zoom.make(HUGO, { settings }), '?schedule_for_reminder=false');
    await remove(await zoom.make(HUGO, { settings }), '?cancel_meeting_reminder=true');
    expect(await zoom.mails()).toEqual([]);
    await remove(await zoom.make(HUGO, { settings }), '?schedule_for_reminder=true');
    expect(await zoom.mails()).toEqual(['meeting-cancelled hugo.tan', 'meeting-cancelled alma.reyes']);
  });
});

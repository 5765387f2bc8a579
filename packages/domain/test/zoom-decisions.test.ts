import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Deciding,
  decideMeeting,
  type MeetingFacts,
  meetingDetails,
  others,
} from '../src/zoom-decisions.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const EVENT = { title: 'Lecture', start: '2026-12-01T09:00:00Z', end: '2026-12-01T10:30:00Z' };
const details = meetingDetails(EVENT);
const meeting: MeetingFacts = {
  host: 'a@x.example',
  topic: 'Lecture',
  start: EVENT.start,
  minutes: 90,
  coHosts: ['c@x.example'],
};
const deciding = (more: Partial<Deciding>): Deciding => ({
  meeting,
  before: { host: 'a@x.example', coHosts: ['c@x.example'] },
  desired: { host: null, coHosts: null },
  details,
  otherwise: { host: 'service@x.example', coHosts: [] },
  now: NOW,
  mayHandOver: () => false,
  ...more,
});

const NOTHING = { step: 'keep', handOver: null, change: {} };

describe('what to do about a meeting', () => {
  test('a meeting that is already as desired needs nothing, however the emails are written', () => {
    expect(decideMeeting(deciding({}))).toEqual(NOTHING);
    const wish = { host: 'A@X.example', coHosts: ['C@x.example', 'a@x.example', 'c@x.example'] };
    expect(decideMeeting(deciding({ desired: wish }))).toEqual(NOTHING);
  });
  test('if there is no meeting, one is created for the default owner, or for the desired one', () => {
    const none = { meeting: null, before: null };
    expect(decideMeeting(deciding(none))).toEqual({
      step: 'make',
      why: 'none',
      host: 'service@x.example',
      coHosts: [],
    });
    const wish = { host: 'B@x.example', coHosts: ['b@x.example', 'd@x.example'] };
    expect(decideMeeting(deciding({ ...none, desired: wish }))).toMatchObject({
      host: 'b@x.example',
      coHosts: ['d@x.example'],
    });
  });
  test('OP-71 if only other sections have meetings, one is created with their host and alternative hosts, unless others are desired', () => {
    const none = {
      meeting: null,
      before: null,
      otherwise: { host: 'b@x.example', coHosts: ['c@x.example'] },
    };
    expect(decideMeeting(deciding(none))).toMatchObject({ host: 'b@x.example', coHosts: ['c@x.example'] });
    const wish = { host: 'c@x.example', coHosts: null };
    expect(decideMeeting(deciding({ ...none, desired: wish }))).toMatchObject({
      host: 'c@x.example',
      coHosts: [],
    });
    const nobody = { host: null, coHosts: [] };
    expect(decideMeeting(deciding({ ...none, desired: nobody }))).toMatchObject({ coHosts: [] });
  });
  test('if the meeting was deleted, a new one has the same host and alternative hosts', () => {
    expect(decideMeeting(deciding({ meeting: null }))).toEqual({
      step: 'make',
      why: 'gone',
      host: 'a@x.example',
      coHosts: ['c@x.example'],
    });
  });
  test('OP-102 for a change of host, the meeting is transferred if Zoom permits it, and otherwise created again', () => {
    const wish = { host: 'c@x.example', coHosts: null };
    expect(decideMeeting(deciding({ desired: wish, mayHandOver: () => true }))).toEqual({
      step: 'keep',
      handOver: 'c@x.example',
      change: {},
    });
    expect(decideMeeting(deciding({ desired: wish }))).toMatchObject({
      step: 'make',
      why: 'host',
      host: 'c@x.example',
      coHosts: [],
    });
  });
  test('a moved event moves its meeting, but never into the past', () => {
    const moved = meetingDetails({ ...EVENT, start: '2026-12-02T09:00:00Z', end: '2026-12-02T11:00:00Z' });
    expect(decideMeeting(deciding({ details: moved }))).toMatchObject({
      change: { start: '2026-12-02T09:00:00Z', minutes: 120 },
    });
    const past = meetingDetails({ ...EVENT, start: '2026-11-22T09:00:00Z', end: '2026-11-22T11:00:00Z' });
    expect(decideMeeting(deciding({ details: past }))).toMatchObject({ change: { minutes: 120 } });
    expect(decideMeeting(deciding({ details: past }))).not.toHaveProperty('change.start');
  });
  test('OP-102 a meeting without a time, as its host has set it in Zoom, is not moved', () => {
    const step = decideMeeting(deciding({ meeting: { ...meeting, start: null, topic: 'Other' } }));
    expect(step).toEqual({ ...NOTHING, change: { topic: 'Lecture' } });
  });

  test('property: a completed step is not needed again', () => {
    const email = fc.constantFrom('a@x.example', 'B@x.example', 'c@X.example', 'd@x.example');
    const wish = fc.record({
      host: fc.option(email, { nil: null }),
      coHosts: fc.option(fc.array(email), { nil: null }),
    });
    const start = fc.date({ min: new Date(NOW + 3_600_000), max: new Date(NOW + 1e10), noInvalidDate: true });
    fc.assert(
      fc.property(
        wish,
        fc.string(),
        start,
        fc.integer({ min: 0, max: 3_000 }),
        fc.boolean(),
        (of, title, from, length, may) => {
          const end = new Date(from.getTime() + length * 60_000).toISOString();
          const wanted = meetingDetails({ title, start: from.toISOString(), end });
          const asked = deciding({ desired: of, details: wanted, mayHandOver: () => may });
          const step = decideMeeting(asked);
          const after: MeetingFacts =
            step.step === 'make'
              ? { host: step.host, ...wanted, coHosts: step.coHosts }
              : {
                  ...meeting,
                  coHosts: others(meeting.coHosts, step.handOver ?? ''),
                  ...step.change,
                  host: step.handOver ?? meeting.host,
                };
          expect(decideMeeting({ ...asked, meeting: after })).toEqual(NOTHING);
        },
      ),
    );
  });
  test('topics have at most 200 characters, none of them cut in half, and durations are those that Zoom accepts', () => {
    expect(meetingDetails({ ...EVENT, title: `${'x'.repeat(199)}😀y` }).topic).toBe('x'.repeat(199));
    expect(meetingDetails({ ...EVENT, title: '\u200b ' }).topic).toBe('Zoom Meeting');
    expect(meetingDetails({ ...EVENT, end: EVENT.start }).minutes).toBe(60);
    expect(meetingDetails({ ...EVENT, end: '2026-12-09T09:00:00Z' }).minutes).toBe(1440);
  });
});

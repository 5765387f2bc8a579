import type { ZoomEvent } from '@lms-admin/contract/zoom';
import { describe, expect, test } from 'vitest';
import { eventRows } from '../../src/tools/zoom-creation/event-rows.ts';
import {
  differ,
  formOf,
  missingOf,
  type PublishForm,
  publishChange,
  startOf,
  whyNotVisible,
  withOwner,
} from '../../src/tools/zoom-creation/publish-form.ts';
import { ALMA, eventOf, HUGO, STANDARD } from './events.ts';

const rows = (...some: Partial<ZoomEvent>[]) =>
  eventRows(some.map((more, index) => eventOf(index + 1, more)));
const form = (more: Partial<PublishForm> = {}): PublishForm => ({
  own: true,
  visible: true,
  owner: ALMA,
  coHosts: { chips: [], text: '' },
  coHostsThere: null,
  ...more,
});
const DEFAULT = form({ own: false, visible: false, owner: STANDARD });

describe('OP-70 the initial values of the form', () => {
  const one = { zoom_owner: ALMA, zoom_alternative_host: HUGO, zoom_visibility: 1 as const };

  test('are those that the selected events share', () => {
    const started = form({ coHosts: { chips: [HUGO], text: '' }, coHostsThere: [HUGO] });
    expect(startOf(rows(one), STANDARD)).toEqual(started);
    expect(startOf(rows(one, { ...one, zoom_owner: ALMA.toUpperCase() }), STANDARD)).toEqual(started);
  });

  test('are the defaults if the events differ, or if there is nothing yet', () => {
    for (const other of [{}, { ...one, zoom_owner: HUGO }, { ...one, zoom_visibility: 0 as const }]) {
      expect(startOf(rows(one, other), STANDARD)).toEqual(DEFAULT);
      expect(differ(rows(one, other), STANDARD)).toBe(true);
    }
    expect(startOf(rows({}, {}), STANDARD)).toEqual({ ...DEFAULT, coHostsThere: [] });
    expect(startOf([], STANDARD)).toEqual(DEFAULT);
    expect(differ(rows({}, {}), STANDARD)).toBe(false);
  });

  test('never make the link visible with the placeholder host, whatever it was before', () => {
    expect(startOf(rows({ zoom_owner: STANDARD, zoom_visibility: 1 }), STANDARD).visible).toBe(false);
  });
});

test('ZC-28 switching Owner off means the default account, with the link hidden', () => {
  expect(withOwner(form(), false, STANDARD)).toEqual(DEFAULT);
  expect(withOwner(DEFAULT, true, STANDARD)).toEqual({ ...DEFAULT, own: true });
});

test('ZC-27 the link cannot be made visible with the default owner', () => {
  const text = 'Please select owner, before making link visible';
  expect(whyNotVisible(DEFAULT, STANDARD)).toBe(text);
  expect(whyNotVisible(form({ owner: STANDARD.toUpperCase() }), STANDARD)).toBe(text);
  expect(whyNotVisible(form({ visible: false }), STANDARD)).toBeNull();
});

test('ZC-25 ZC-26 ZC-29 reports what is missing, in the documented words', () => {
  expect(missingOf(form(), 0, STANDARD)?.text).toBe('Select a zoom event(s) before you click Publish.');
  expect(missingOf(form({ owner: null }), 1, STANDARD)?.text).toBe('Zoom owner cannot be empty.');
  expect(missingOf(form({ owner: STANDARD }), 1, STANDARD)?.text).toBe('Please change Zoom Owner.');
  expect(missingOf(form(), 1, STANDARD)).toBeNull();
  expect(missingOf(DEFAULT, 1, STANDARD)).toBeNull();
});

test('ZC-21 the request includes an address that is still being typed, but not invalid text', () => {
  const typed = form({ coHosts: { chips: [HUGO], text: 'farid.noor@northbridge.example' } });
  expect(publishChange(7, [1, 2], typed, STANDARD)).toEqual({
    change: 'publish',
    course: 7,
    events: [1, 2],
    owner: ALMA,
    co_hosts: [HUGO, 'farid.noor@northbridge.example'],
    visible: true,
  });
  const wrong = form({ coHosts: { chips: [HUGO], text: 'farid' } });
  expect(publishChange(7, [1], wrong, STANDARD)?.co_hosts).toEqual([HUGO]);
  expect(publishChange(7, [], form(), STANDARD)).toBeNull();
  expect(publishChange(7, [1], form({ owner: null }), STANDARD)).toBeNull();
});

test('OP-69 a retry starts from the original request', () => {
  const asked = publishChange(7, [1], form({ coHosts: { chips: [HUGO], text: '' } }), STANDARD);
  expect(asked && formOf(asked, [], STANDARD)).toEqual(form({ coHosts: { chips: [HUGO], text: '' } }));
  const left = form({ coHosts: { chips: [HUGO], text: '' }, coHostsThere: [HUGO] });
  const same = publishChange(7, [1], left, STANDARD);
  const chosen = rows({ zoom_owner: ALMA, zoom_alternative_host: HUGO, zoom_visibility: 1 });
  expect(same && formOf(same, chosen, STANDARD)).toEqual(left);
});

test('ZC-21 alternative hosts that were not edited stay as they are in Zoom', () => {
  const left = form({ coHosts: { chips: [HUGO], text: '' }, coHostsThere: [HUGO.toUpperCase()] });
  expect(publishChange(7, [1], left, STANDARD)?.co_hosts).toBeNull();
  const emptied = { ...left, coHosts: { chips: [], text: '' } };
  expect(publishChange(7, [1], emptied, STANDARD)?.co_hosts).toEqual([]);
  expect(publishChange(7, [1], { ...emptied, coHostsThere: null }, STANDARD)?.co_hosts).toEqual([]);
});

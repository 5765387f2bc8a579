/**
 * Compares what a preview or a review announced with the difference between two snapshots of the practice LMS
 * and Zoom.
 */
import type { JobDetail, JobItem } from '@lms-admin/contract/jobs';
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import type { ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import { expect } from 'vitest';
import type { Difference, Snapshot } from './seen-now.ts';

interface Happened {
  found: Difference;
  before: Snapshot;
  /** Text that is printed if something differs. */
  about: string;
}

/** Results of a run that give students a link, or make one work again. */
const SHOWS = ['make-shown', 'link-back', 'hand-over'];

/**
 * Expects that the effects of a change match its preview: rejected events, meetings, links, texts, and the
 * counts in the result.
 */
export function expectAsPreviewed(
  said: ZoomPreview,
  done: JobDetail,
  { found, before, about }: Happened,
): void {
  const { failed = [] } = done.result as { failed?: { event: number }[] };
  const idsOf = (problems: readonly { event: number }[]) => new Set(problems.map(({ event }) => event));
  expect(idsOf(said.problems), about).toEqual(idsOf(failed));
  expect([said.make, said.update, said.removed, said.appear, said.disappear], about).toEqual([
    found.made.length,
    found.changed.length,
    found.removed.length,
    found.appear.length,
    found.disappear.length,
  ]);
  const named = new Set(
    [...said.links.filter(({ published }) => published), ...said.texts].map(({ event }) => event),
  );
  for (const { id, seen } of before.events) {
    const its = [id, ...seen.keys()];
    const isNamed = its.some((one) => named.has(one));
    if (found.other.some((one) => its.includes(one)))
      expect(isNamed, `${id} has a different link\n${about}`).toBe(true);
    const isCounted = its.some((one) => [...found.appear, ...found.disappear].includes(one));
    if (found.texts.includes(id))
      expect(isNamed || isCounted, `${id} has a different text\n${about}`).toBe(true);
  }
  // The result counts events that cannot be changed in a different way.
  if (said.problems.length > 0) return;
  const figures = new Map(done.figures);
  const counted = (name: string) => figures.get(name) ?? 0;
  expect([counted('links shown'), counted('links hidden')], about).toEqual([said.appear, said.disappear]);
  // Returns whether a link is the first one. A first link does not renew one, but it differs from one that
  // was copied into an event without a meeting.
  const isFirst = ({ from, why, published }: ZoomPreview['links'][number]) =>
    from === null && !(why === 'merge' && published);
  const other = said.links.filter((one) => one.why !== 'written' && one.to !== null && !isFirst(one));
  expect(counted('links renewed'), about).toBe(new Set(other.map(({ event }) => event)).size);
}

/** Expects that the effects of a run match its review: failed events, meetings, links and texts. */
export function expectAsReviewed(
  said: ZoomRunReview,
  items: readonly JobItem[],
  { found, before, about }: Happened,
): void {
  const { made, changed, removed } = said.meetings;
  expect([made, changed, removed], about).toEqual([
    found.made.length,
    found.changed.length,
    found.removed.length,
  ]);
  const failed = items.filter(({ state }) => state === 'failed');
  expect(said.told.filter(({ problem }) => problem !== null).length, about).toBe(failed.length);
  for (const { id, seen } of before.events) {
    const does = said.told.find(({ event }) => event === id)?.does ?? null;
    const among = (ids: readonly number[]) => ids.some((one) => one === id || seen.has(one));
    const why = `${id} is announced as ${does}\n${about}`;
    expect(does === 'no-link', why).toBe(among(found.disappear));
    if (among(found.other)) expect(['new-link', 'no-link', 'change', ...SHOWS], why).toContain(does);
    if (among(found.appear)) expect(['new-link', 'no-link', ...SHOWS], why).toContain(does);
    if (SHOWS.includes(does ?? '')) expect(among(found.appear), why).toBe(true);
    if (found.texts.includes(id)) expect(does, why).not.toBeNull();
  }
}

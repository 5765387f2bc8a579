import type { JobSummary } from '@lms-admin/contract/jobs';
import { describe, expect, it } from 'vitest';
import { endedSince, titleMark } from '../../src/app/shell/job-news.ts';

const ended = (id: string, minute: number): JobSummary['ended'][number] => ({
  id,
  tool: 'sis-import',
  kind: 'import',
  label: id,
  outcome: 'done',
  ended_at: `2026-11-21T14:${String(minute).padStart(2, '0')}:00.000Z`,
});
const summary = (...some: JobSummary['ended']): JobSummary => ({
  running: 0,
  unseen: 0,
  imports: [],
  ended: some,
});

describe("news about a person's own work", () => {
  it('is empty at the first poll, when nothing is new', () => {
    expect(endedSince(null, summary(ended('a', 1)))).toEqual([]);
  });

  it('lists jobs that were not in the previous poll', () => {
    const before = summary(ended('b', 2), ended('a', 1));
    expect(
      endedSince(before, summary(ended('c', 3), ended('b', 2), ended('a', 1))).map(({ id }) => id),
    ).toEqual(['c']);
    expect(endedSince(summary(), summary(ended('a', 1)))).toHaveLength(1);
  });

  it('leaves out an old job that reappears in a full list', () => {
    const before = summary(ended('c', 3), ended('b', 2));
    expect(endedSince(before, summary(ended('c', 3), ended('a', 1)))).toEqual([]);
  });
});

describe('the badge in the page title', () => {
  it('shows how many jobs are running, or have ended unseen', () => {
    expect(titleMark(0, [])).toBe('');
    expect(titleMark(2, [])).toBe('(2)');
    expect(titleMark(1, [{ outcome: 'done' }])).toBe('✓');
    expect(titleMark(0, [{ outcome: 'done' }, { outcome: 'partly' }])).toBe('⚠');
  });
});

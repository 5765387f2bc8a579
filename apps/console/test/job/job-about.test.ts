import { expect, test } from 'vitest';
import { aboutLine } from '../../src/app/activity/job-about.ts';

const about = (courses: string[], more = 0, terms = ['MIM 2026-27 S2'], programmes = ['MIM']) => ({
  about: { courses, more, sis_ids: [], terms, programmes },
});

test.each([
  ['one course', about(['Finance']), 'Finance · MIM 2026-27 S2 · MIM'],
  [
    'more than are named',
    about(['Finance', 'Marketing'], 3),
    'Finance, Marketing and 3 more · MIM 2026-27 S2 · MIM',
  ],
  ['of several terms', about(['Zoë’s #N/A'], 0, ['P1', 'P2'], []), 'Zoë’s #N/A · P1, P2'],
  ['nothing known', { about: null }, ''],
])('an Activity entry names its courses, terms and programmes: %s', (_, job, line) => {
  expect(aboutLine(job)).toBe(line);
});

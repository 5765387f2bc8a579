import { awardReportMessages } from '@lms-admin/contract/messages/awards';
import { LEFT_OUT } from '@lms-admin/domain/award-votes';
import { describe, expect, it } from 'vitest';

const { campusTitle, reportTitle, leftOut } = awardReportMessages;

describe('award messages', () => {
  it('BTA-22 BTA-23 OP-87 each code has the name of its campus, and unknown codes are invalid', () => {
    const titles = ['S', 'SGP', 'F', 'FBL', 'A', 'ABD', 'B', 'FBLSG', 'Prof', ''].map(campusTitle);
    expect([...new Set(titles)]).toEqual([
      'Singapore Campus',
      'Fonteinbleu Campus',
      'Abu Dhabi',
      'BTH Campus',
      'Invalid Campus',
    ]);
  });

  it('BTA-21 BTA-25 reports are titled by campus and type, or by type alone', () => {
    expect(reportTitle('by-campus', 'SGP', 'core')).toBe('Singapore Campus - Core Course ');
    expect(reportTitle('by-campus', 'ABD', 'elective')).toBe('Abu Dhabi - Elective Course ');
    expect(reportTitle('by-prof', 'SGP', 'elective')).toBe('Elective Course  - By Prof');
  });

  it('OP-105 every reason has a text, in singular and plural', () => {
    for (const reason of LEFT_OUT) {
      expect(leftOut[reason](1)).toMatch(/^1 [a-z]/);
      expect(leftOut[reason](2_000)).toMatch(/^2,000 .*s/);
    }
  });
});

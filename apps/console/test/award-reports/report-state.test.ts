import { AWARD_CAMPUSES, AWARD_VIEWS, COURSE_TYPES } from '@lms-admin/domain/award-campuses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choiceOf,
  EMPTY,
  type ReportAction,
  reportReducer,
  reportShape,
} from '../../src/tools/award-reports/report-state.ts';

const after = (...actions: ReportAction[]) => actions.reduce(reportReducer, EMPTY);
const chosen = (...actions: ReportAction[]) => choiceOf(after(...actions), AWARD_CAMPUSES);

describe('the choices for the reports', () => {
  it('BTA-08 start with SGP and elective', () => {
    expect(chosen()).toEqual({ view: 'by-campus', campus: 'SGP', type: 'elective' });
  });

  it('BTA-10 OP-87 each tab starts with its own code: S means SGP, and Prof means every campus', () => {
    expect(after({ type: 'view', view: 'by-prof' }).campus).toBe('Prof');
    expect(chosen({ type: 'view', view: 'by-prof' })).toMatchObject({ campus: 'Prof' });
    const back: ReportAction[] = [
      { type: 'campus', campus: 'FBL' },
      { type: 'view', view: 'by-prof' },
      { type: 'view', view: 'by-campus' },
    ];
    expect(after(...back).campus).toBe('S');
    expect(chosen(...back)).toMatchObject({ campus: 'SGP' });
  });

  it('BTA-10 selecting the open tab changes nothing', () => {
    const state = after({ type: 'campus', campus: 'ABD' });
    expect(reportReducer(state, { type: 'view', view: 'by-campus' })).toBe(state);
  });

  it('BTA-09 core becomes elective when the choice has no core report', () => {
    const core: ReportAction = { type: 'course-type', courseType: 'core' };
    expect(chosen(core, { type: 'campus', campus: 'FBLSG' })).toMatchObject({ type: 'elective' });
    expect(chosen(core, { type: 'campus', campus: 'FBL' })).toMatchObject({ type: 'core' });
    expect(chosen(core, { type: 'view', view: 'by-prof' }, { type: 'campus', campus: 'FBL' })).toMatchObject({
      type: 'elective',
    });
    expect(chosen({ type: 'campus', campus: 'FBLSG' }, core)).toMatchObject({ type: 'elective' });
  });

  it('OP-91 a campus that the server does not list is not requested', () => {
    expect(choiceOf({ ...EMPTY, campus: 'FBL' }, ['SGP', 'ABD'])).toMatchObject({ campus: 'SGP' });
    expect(choiceOf({ ...EMPTY, campus: 'SGP' }, ['ABD'])).toMatchObject({ campus: 'ABD' });
  });

  it('BTA-02 after any actions, the state can be stored and its step exists', () => {
    const action = fc.oneof(
      fc.record({ type: fc.constant('view' as const), view: fc.constantFrom(...AWARD_VIEWS) }),
      fc.record({ type: fc.constant('campus' as const), campus: fc.constantFrom(...AWARD_CAMPUSES) }),
      fc.record({
        type: fc.constant('course-type' as const),
        courseType: fc.constantFrom(...COURSE_TYPES),
      }),
      fc.record({ type: fc.constantFrom('next' as const, 'back' as const) }),
    );
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const state = actions.reduce(reportReducer, EMPTY);
        for (const part of ['wizard', 'view', 'campus', 'type'] as const)
          expect(reportShape[part].safeParse(state[part]).success).toBe(true);
        expect(choiceOf(state, AWARD_CAMPUSES).type).toBe(state.type);
      }),
    );
  });
});

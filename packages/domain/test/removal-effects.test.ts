/**
 * Side effects of removing enrolments: on groups of people who leave the course, and on observers of
 * students.
 */
import { describe, expect, test } from 'vitest';
import { type CourseEnrollment, removalEffects } from '../src/removal-effects.ts';

const enrolment = (userId: number, more: Partial<CourseEnrollment> = {}): CourseEnrollment => ({
  userId,
  name: `Person ${userId}`,
  type: 'StudentEnrollment',
  roleId: 3,
  sectionId: 1,
  state: 'active',
  observes: null,
  groups: [],
  ...more,
});
const removing = (userId: number, roleId = 3, sectionId = 1) => ({ userId, roleId, sectionId });

describe('CE-12 removing a person', () => {
  test('ends the group memberships of people without another enrolment in the course', () => {
    const all = [
      enrolment(1, { groups: [7, 8] }),
      enrolment(2, { groups: [7] }),
      // This person is also a teaching assistant, so they stay in the course and therefore in the group.
      enrolment(2, { type: 'TaEnrollment', roleId: 5, groups: [7] }),
      // A completed enrolment keeps the group membership as well.
      enrolment(3, { groups: [9] }),
      enrolment(3, { sectionId: 2, state: 'completed', groups: [9] }),
      enrolment(4, { groups: [7] }),
    ];
    expect(removalEffects(all, [removing(1), removing(2), removing(3)])).toEqual({
      members: 2,
      observers: 0,
      who: [{ person: 'Person 1', groups: 2, observer: false, students: [] }],
    });
  });

  test("removes a student's linked observers, but only from the same section", () => {
    const observer = { type: 'ObserverEnrollment', roleId: 7, name: 'Zoë O’Neill–Łukasz' };
    const all = [
      enrolment(1),
      enrolment(9, { ...observer, observes: 1 }),
      enrolment(9, { ...observer, observes: 1, sectionId: 2 }),
      enrolment(9, { ...observer, observes: 2 }),
      enrolment(2),
    ];
    const who = [{ person: 'Zoë O’Neill–Łukasz', groups: 0, observer: true, students: ['Person 1'] }];
    expect(removalEffects(all, [removing(1)])).toEqual({ members: 0, observers: 1, who });
    // A linked observer does not have the observer role.
    expect(removalEffects(all, [removing(9, 7)])).toEqual({ members: 0, observers: 0, who: [] });
    // Observers do not leave with a person who only stops assisting.
    const assisting = [...all, enrolment(1, { type: 'TaEnrollment', roleId: 5 })];
    expect(removalEffects(assisting, [removing(1, 5)])).toMatchObject({ observers: 0 });
  });

  test('does not end group memberships of people whom other rows add to the course, or those of their observers', () => {
    const observer = { type: 'ObserverEnrollment', roleId: 7, groups: [8] };
    const all = [
      enrolment(1, { groups: [7] }),
      enrolment(9, { ...observer, observes: 1 }),
      // An observer is added only together with a student.
      enrolment(2, { groups: [7] }),
      enrolment(8, { ...observer, observes: 2 }),
    ];
    const added = [
      { userId: 1, roleId: 3 },
      { userId: 2, roleId: 5 },
    ];
    expect(removalEffects(all, [removing(1), removing(2)], { added })).toEqual({
      members: 1,
      observers: 2,
      who: [
        { person: 'Person 9', groups: 0, observer: true, students: ['Person 1'] },
        { person: 'Person 8', groups: 1, observer: true, students: ['Person 2'] },
      ],
    });
  });

  test('without naming anyone changes nothing', () => {
    expect(removalEffects([enrolment(1, { groups: [7] })], [])).toEqual({
      members: 0,
      observers: 0,
      who: [],
    });
  });
});

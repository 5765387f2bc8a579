/**
 * Differentiation tags (reference §15.3): the three kinds of files in the newest Canvas. Like every Canvas by default,
 * the practice school has not enabled them: valid rows get a message, and there are no tags.
 */

import { messages } from '../messages.ts';
import { type Importer, type Outcome, startsWithOne, type Work } from './work.ts';

const SET_COLUMNS = ['tag_set_id', 'course_id', 'set_name', 'status'] as const;
const TAG_COLUMNS = ['tag_id', 'tag_set_id', 'course_id', 'name', 'status'] as const;
const MEMBER_COLUMNS = ['tag_id', 'user_id', 'status'] as const;
const { set: saySet, tag: sayTag, member: sayMember, notEnabled } = messages.differentiation;

export const tagSetImporter: Importer<(typeof SET_COLUMNS)[number]> = {
  kind: 'differentiation_tag_set',
  columns: SET_COLUMNS,
  buffer: 1,

  check(row) {
    const id = row.tag_set_id;
    if (!id) return saySet.noId;
    if (!row.set_name) return saySet.noName(id);
    if (!row.status) return saySet.noStatus(id);
    if (!startsWithOne(row.status, 'active', 'deleted')) return saySet.badStatus(row.status, id);
    return undefined;
  },

  apply(row, work) {
    if (!row.course_id) return saySet.noCourse(row.tag_set_id);
    return refusedIn(row.course_id, work) ?? saySet.unknownCourse(row.course_id, row.tag_set_id);
  },
};

export const tagImporter: Importer<(typeof TAG_COLUMNS)[number]> = {
  kind: 'differentiation_tag',
  columns: TAG_COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.tag_id) return sayTag.noId;
    if (!row.name) return sayTag.noName(row.tag_id);
    if (!startsWithOne(row.status, 'available', 'closed', 'completed', 'deleted'))
      return sayTag.badStatus(row.status, row.tag_id);
    return undefined;
  },

  apply(row, work) {
    if (row.course_id)
      return refusedIn(row.course_id, work) ?? sayTag.unknownCourse(row.course_id, row.tag_id);
    return row.tag_set_id ? sayTag.unknownSet(row.tag_set_id, row.tag_id) : sayTag.noPlace(row.tag_id);
  },
};

export const tagMembershipImporter: Importer<(typeof MEMBER_COLUMNS)[number]> = {
  kind: 'differentiation_tag_membership',
  columns: MEMBER_COLUMNS,
  buffer: 1,

  check(row) {
    if (!row.tag_id) return sayMember.noTag;
    if (!row.user_id) return sayMember.noUser;
    return startsWithOne(row.status, 'accepted', 'deleted') ? undefined : sayMember.badStatus(row.status);
  },

  apply(row, { world }) {
    return world.pseudonyms.by.sis.get(row.user_id)
      ? sayMember.unknownTag(row.tag_id)
      : sayMember.unknownUser(row.user_id);
  },
};

/**
 * Returns the message that the course's account has no tags, or undefined for an unknown or deleted course.
 */
function refusedIn(courseId: string, { world }: Work): Outcome | undefined {
  const course = world.courses.by.sis.get(courseId);
  return course && course.workflow_state !== 'deleted' ? notEnabled(course.account_id) : undefined;
}

/** What is said of rows that do something else than they seem to. */

import type { PersonEffect } from '@lms-admin/domain/sis-effects';
import { shown } from '@lms-admin/domain/sis-rows';
import type { ComparedPlace, ComparedRow } from './enrolments.ts';
import type { Going } from './holdings.ts';
import type { NamedRows, PersonRow } from './named-rows.ts';
import type { ComparedPerson, FoundPerson } from './people.ts';

/** Why a row of people is refused, and what to do. */
export function refusedPerson(
  { id, login }: PersonRow,
  { why, person }: Extract<PersonEffect<FoundPerson>, { does: 'refused' }>,
): string {
  if (why === 'other-login') {
    const theirs = person.login === null ? 'has another login' : `has the login ${shown(person.login)}`;
    return `${shown(id)} is ${person.name}, who ${theirs}, not ${shown(login)}. Correct the SIS id or the login: nobody is deleted by a login that is not theirs.`;
  }
  const other = person.sisUserId === null ? 'who has no SIS id' : `SIS id ${shown(person.sisUserId)}`;
  return `The login ${shown(login)} belongs to ${person.name} (${other}), not to ${shown(id)}. Correct the SIS id or the login.`;
}

/**
 * Why a row of an enrolment changes nothing; null for one that does.
 * @param noPlace the LMS has no such course or section
 * @param nobodyComes whether the upload makes no people who could be meant
 */
export function idleEnrolment(
  { place, one, effect, nobody }: ComparedRow,
  noPlace: boolean,
  nobodyComes: boolean,
): string | null {
  const where = `${place.by} ${shown(place.id)}`;
  if (noPlace) {
    const removing = one.status.startsWith('deleted');
    return removing ? `The LMS has no ${where}: nobody is removed.` : null;
  }
  if (effect.does === 'nothing' && effect.why === 'repeated')
    return `Row ${effect.first} says the same already.`;
  if (effect.does !== 'nothing') {
    return nobody && nobodyComes
      ? `Nobody in the LMS has the SIS id ${shown(one.user)}: the LMS will refuse the row.`
      : null;
  }
  if (nobody) return `Nobody in the LMS has the SIS id ${shown(one.user)}.`;
  switch (effect.why) {
    case 'not-enrolled':
      return `${shown(one.user)} is not enrolled with this role in the ${where}: nothing is removed.`;
    case 'elsewhere':
      return `${shown(one.user)} is in another section of the ${where}: nothing is removed. Give the section_id of that one.`;
    case 'no-section':
      return `The ${where} has no section ${shown(one.section)}: the LMS will refuse the row.`;
    default:
      return `${shown(one.user)} is in the ${where} with this role and state already.`;
  }
}

const n = (count: number) => count.toLocaleString('en-GB');
const these = (count: number, one: string, more: string) => `${n(count)} ${count === 1 ? one : more}`;

/** What was not compared, or not counted, and how it is taken. */
export function uncomparedSentences(found: {
  rows: NamedRows;
  people: readonly ComparedPerson[];
  places: readonly ComparedPlace[];
  going: readonly Going[];
  comparable: boolean;
}): string[] {
  const { rows, people, places, going, comparable } = found;
  if (!comparable) {
    return ['The file changes SIS ids, so its rows were not compared with what the LMS holds now.'];
  }
  const sentences: string[] = [];
  const strangers = people.filter(({ effect }) => effect === null).length + rows.beyond.people;
  if (strangers > 0) {
    sentences.push(
      `${these(strangers, 'row of users was', 'rows of users were')} not compared with the LMS: whether these people exist is not known. Those to be deleted are counted as if they did.`,
    );
  }
  const unread = places.filter(({ held }) => held === 'unread');
  const enrolments = unread.reduce((sum, { rows: those }) => sum + those.length, rows.beyond.enrolments);
  if (enrolments > 0) {
    sentences.push(
      `${these(enrolments, 'row of enrollments was', 'rows of enrollments were')} not compared with the LMS: each that removes somebody is counted as if they were enrolled.`,
    );
  }
  const uncounted = going.filter(({ held }) => held === 'unread').length;
  if (uncounted > 0) {
    sentences.push(
      `The enrolments of ${these(uncounted, 'course or section that is', 'courses and sections that are')} deleted could not be counted: more goes than the number says.`,
    );
  }
  if (rows.beyond.ids > 0) {
    sentences.push(
      `Ids that stand twice were not looked for in the last ${these(rows.beyond.ids, 'row', 'rows')}.`,
    );
  }
  const groups = ['group', 'group_category'].some((kind) => rows.others.has(kind as 'group'));
  if (groups) sentences.push('Groups are deleted with their memberships, which are not counted.');
  const large = ['account', 'term'].some((kind) => rows.others.has(kind as 'account'));
  if (large) sentences.push('What hangs on accounts and terms that are deleted is not counted.');
  return sentences;
}

/** Rows that may be carried out in another course than they name. */
export function landingSentences(places: readonly ComparedPlace[]): string[] {
  return places.flatMap(({ place: { by, id, rows }, held, from }) => {
    if (typeof held !== 'object') return [];
    const { sisId, name } = held.course;
    if (from !== null) {
      return `The section ${shown(id)} has been cross-listed from the course ${shown(from)} to ${name} (${shown(sisId)}): ${these(rows.length, 'row that names it is', 'rows that name it are')} carried out there.`;
    }
    const open = rows.filter(({ section }) => section === '').length;
    if (by === 'section' || held.defaultSection !== null || open === 0) return [];
    return `The course ${shown(id)} shows no default section of its own: ${these(open, 'row without section_id', 'rows without section_id')} may be carried out in another course. Name one of its sections in the column section_id.`;
  });
}

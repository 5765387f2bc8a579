/** The guide: its numbers match the code, its pictures match the screens, and it explains each tool. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_AWARD_FILE_BYTES } from '@lms-admin/contract/awards';
import { MAX_MEMBER_ROWS } from '@lms-admin/contract/groups';
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import { MAX_RECOUNTED_ROWS } from '@lms-admin/contract/sis-effects';
import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import { MAX_CO_HOSTS, MAX_ZOOM_EVENTS, ZOOM_WINDOW_DAYS } from '@lms-admin/contract/zoom';
import { MAX_LIST_ROWS } from '@lms-admin/domain/award-list-rows';
import { FRESH_MS } from '@lms-admin/domain/award-opening';
import {
  MAX_ENROLLMENT_ROWS,
  MAX_NEW_USERS,
  MAX_SELECTED,
  MIN_SEARCH_LENGTH,
  SESSION_MS,
} from '@lms-admin/domain/constants';
import { IMAGE_MAX_BYTES } from '@lms-admin/domain/image-files';
import { MANY_TAKEN, TAKEN_SHARE } from '@lms-admin/domain/sis-effect/brake';
import { MAX_COLUMNS } from '@lms-admin/domain/sis-rows';
import { LONGEST_LOGIN, LONGEST_NAME } from '@lms-admin/domain/sis-tables/table';
import { MAX_WORKBOOK_ROWS } from '@lms-admin/domain/student-export';
import { describe, expect, test } from 'vitest';
import { MOST_IMAGES } from '../../apps/console/src/tools/images/take.ts';
import { KEPT_DAYS } from '../../apps/server/src/jobs/kind.ts';
import { MAX_ZIP_FILES } from '../../apps/server/src/sis-files/zip.ts';
import { HOST_DAY } from '../../apps/server/src/zoom/host-days.ts';
import { FROM, guidePages } from '../guide-pages.mjs';
import { NOTED, PICTURES, sumOfScreen } from '../guide-pictures.mjs';

const ROOT = new URL('../../', import.meta.url);
const MOST_PICTURE_BYTES = 100_000;
const MB = 1_048_576;
const HOUR_MS = 3_600_000;

/** Reads a number from a source of the server that does not export it. */
function figureIn(path: string, pattern: RegExp): number {
  const [, found] = pattern.exec(readFileSync(new URL(`apps/server/src/${path}`, ROOT), 'utf8')) ?? [];
  if (found === undefined) throw new Error(`${path} has no ${pattern}`);
  return Number(found.replaceAll('_', ''));
}

const many = (count: number, what: string) =>
  `${count.toLocaleString('en-GB')} ${what}${count === 1 ? '' : 's'}`;
const plain = (count: number) => count.toLocaleString('en-GB');

const LIMITS: Record<string, string> = {
  'Sub-accounts (and terms) that you can choose at the same time': plain(MAX_SELECTED),
  'Rows in one enrolment import (people × courses)': plain(MAX_ENROLLMENT_ROWS),
  'Students in one enrolment import whose observers are looked up for the review': plain(
    figureIn('enrollments/added-with.ts', /const MOST_STUDENTS = ([\d_]+);/),
  ),
  'People in the Create Users form': plain(MAX_NEW_USERS),
  'New people in an SIS file, with access to some programmes': plain(
    figureIn('sis-files/policies/users.ts', /const MOST = ([\d_]+);/),
  ),
  'Size of an SIS file': `${MAX_SIS_FILE_BYTES / MB} MB`,
  'CSV files in one zip': plain(MAX_ZIP_FILES),
  'Columns in an SIS file': plain(MAX_COLUMNS),
  'Length of a name or an ID in an SIS file': many(LONGEST_NAME, 'character'),
  'Length of a login': many(LONGEST_LOGIN, 'character'),
  'Files that you are correcting at the same time': plain(MAX_DRAFTS),
  'Rows in the largest file of which every row is compared again before sending': plain(MAX_RECOUNTED_ROWS),
  'Removals that you can send in a file without typing their number': many(MANY_TAKEN, 'item'),
  'The same, as a share of a course, of all people or of all courses': `${TAKEN_SHARE * 100}%`,
  'Rows in one group import': plain(MAX_MEMBER_ROWS),
  'Minimum length of a search for a person': many(MIN_SEARCH_LENGTH, 'character'),
  'Students in an Excel export (CSV has no limit)': plain(MAX_WORKBOOK_ROWS),
  'Size of an image': many(IMAGE_MAX_BYTES, 'byte'),
  'Images in the list': plain(MOST_IMAGES),
  'Days of events shown in Zoom Creation': plain(ZOOM_WINDOW_DAYS),
  'Events in one Zoom change': plain(MAX_ZOOM_EVENTS),
  'Alternative hosts of a meeting': plain(MAX_CO_HOSTS),
  'Zoom changes per host per day': plain(HOST_DAY),
  'Size of the award list': `${MAX_AWARD_FILE_BYTES / MB} MB`,
  'Rows in the award list': plain(MAX_LIST_ROWS),
  'Time between two refreshes of the award survey': many(FRESH_MS / HOUR_MS, 'hour'),
};

const UPLOAD_DAYS = figureIn('sis-files/store.ts', /KEPT_MS = ([\d_]+)/) / (24 * HOUR_MS);
/** Retention of work; the default of its setting. */
const WORK = `${many(KEPT_DAYS.work, 'day')}, unless set otherwise`;

const KEPT: Record<string, string> = {
  'Your session': many(SESSION_MS / HOUR_MS, 'hour'),
  'A review that was not submitted': many(KEPT_DAYS.review, 'day'),
  'An uploaded SIS file, and its corrections': many(UPLOAD_DAYS, 'day'),
  'A submitted SIS file, and the comparison that Activity shows': many(
    UPLOAD_DAYS * figureIn('sis-files/store.ts', /\$\{(\d+) \* KEPT_MS\}/),
    'day',
  ),
  'The files of Student Exports and award reports': many(KEPT_DAYS.export, 'day'),
  'Names, rows and messages of an import, and its undo': WORK,
  'Details of Zoom changes and Zoom runs': WORK,
  'Details of an award refresh': WORK,
  'The list of images that you uploaded': many(KEPT_DAYS.upload, 'day'),
  'Uploaded images and their links': 'without limit',
  'The line in Activity: what was done, when, by whom, and the numbers':
    'without limit, unless set otherwise',
};

/** Reads the rows of the table below a heading on a page. */
function tableBelow(page: string, heading: string): Record<string, string> {
  const text = readFileSync(join(FROM, `${page}.md`), 'utf8');
  const [, part = ''] = text.split(`## ${heading}\n`);
  const [table = ''] = part.split(/^## /m);
  const rows = [...table.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1);
  return Object.fromEntries(rows.map(([, what, figure]) => [what, figure]));
}

describe('limits and times', () => {
  test('the table of limits has the numbers from the code', () => {
    expect(tableBelow('limits', 'Limits')).toEqual(LIMITS);
  });

  test('the table of times has the numbers from the code', () => {
    expect(tableBelow('limits', 'How long things are kept')).toEqual(KEPT);
  });
});

describe('pages', () => {
  const pages = guidePages();

  test('the overview names every page, once', () => {
    const files = readdirSync(FROM).filter((name) => name.endsWith('.md'));
    expect(pages.map(({ name }) => `${name}.md`).sort()).toEqual(files.sort());
  });

  test.each(pages)('$name has one title, and headings with different addresses', ({ sections }) => {
    expect(sections.filter(({ depth }) => depth === 1)).toHaveLength(1);
    const ids = sections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every tool is explained with an example', () => {
    const without = pages.filter(
      ({ group, sections }) =>
        group !== null &&
        !['Start here', 'Help'].includes(group) &&
        !sections.some(({ title }) => title === 'Example'),
    );
    // The recordings tool is only a link to a page of another system.
    expect(without.map(({ name }) => name)).toEqual(['recordings']);
  });
});

describe('pictures', () => {
  const noted = JSON.parse(readFileSync(NOTED, 'utf8')) as Record<string, string>;
  const pictures = readdirSync(PICTURES)
    .filter((name) => name.endsWith('.webp'))
    .map((name) => name.replace('.webp', ''));

  test('every picture is on a page, and every page has its pictures', () => {
    const shown = guidePages().flatMap(({ body }) =>
      [...body.matchAll(/<img src="images\/([\w-]+)\.webp"/g)].map(([, name = '']) => name),
    );
    expect(new Set(shown)).toEqual(new Set(pictures));
    expect(new Set(Object.keys(noted))).toEqual(new Set(pictures));
  });

  test.each(pictures)('%s matches its current screen, and is small', (name) => {
    expect(sumOfScreen(name), `${name} is older than its screen: npm run guide-pictures`).toBe(noted[name]);
    expect(statSync(join(PICTURES, `${name}.webp`)).size).toBeLessThan(MOST_PICTURE_BYTES);
  });
});

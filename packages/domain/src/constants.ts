/** Fixed numbers and id lists of the specification (areas K, PICK, PERM). Settings can override some, as marked. */

/** Ids of the roles that an administrator with `perm` `ALL` can assign (PERM-12). */
export const DEFAULT_ROLE_IDS: readonly number[] = [3, 4, 5, 6, 7, 21, 23, 56, 58, 59, 166, 169];

/** Programmes that are their own sub-account, so that their courses load immediately (PICK-19; a setting, OP-25). */
export const AUTO_SELECTED_PROGRAMME_IDS: readonly number[] = [86, 163, 83, 120, 138, 167, 2, 73, 269];

/** Maximum number of rows (people × courses) in one submission (K-04 as read by OP-33). */
export const MAX_ENROLLMENT_ROWS = 500_000;

/** Maximum number of people created in one submission. */
export const MAX_NEW_USERS = 1_000;

/** Maximum number of selected sub-accounts, and of selected terms (PICK-02, PICK-03, K-05). */
export const MAX_SELECTED = 10;

/** Entries per page in requests to the LMS (K-03). */
export const LMS_PAGE_SIZE = 100;

/** Minimum number of letters in a people search (OP-96). */
export const MIN_SEARCH_LENGTH = 3;

/** Rows per page of the courses table; the first is the default (PICK-05). */
export const COURSE_PAGE_SIZES: readonly number[] = [25, 50, 100];

/** Milliseconds between two polls of an import (IMP-05). */
export const IMPORT_POLL_MS = 2_000;

/** Milliseconds between two polls of an ended import while its error attachment may still appear. */
export const ATTACHMENT_POLL_MS = 5_000;

/** Duration of a session from sign-in, in milliseconds, used or not (AUTH-19, OP-08). */
export const SESSION_MS = 3_600_000;

/** The root account, which has terms, roles, user searches and SIS imports. */
export const ROOT_ACCOUNT_ID = 1;

export const APP_NAME = 'LMS Admin';
export const APP_VERSION = '5.7.1';

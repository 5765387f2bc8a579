/**
 * Every text in an SIS import's answers, by file kind (reference §7, §8, §9, §11). Row messages are warnings,
 * file messages are errors. `x` is printed as in the row; missing values are printed as empty.
 */

type Text = string | null | undefined;
const s = (value: Text): string => value ?? '';

export const messages = {
  integrationTaken: (id: Text) => `Integration ID "${s(id)}" is already in use`,
  endBeforeStart: 'End date cannot be before start date',
  tooLong: (field: string, longest: number) => `${field} is too long (maximum is ${longest} characters)`,
  file: {
    noHeaders: "Couldn't find Canvas CSV import headers",
    invalidUtf8: 'Invalid UTF-8',
    malformed: 'Malformed CSV',
    unknownType: 'Skipping unknown file type',
    crash: (report: number) => `Error while importing CSV. Please contact support. (Error report ${report})`,
    moreWarnings: (n: number) => `and ${n} more warnings that were not included`,
    moreErrors: (n: number) => `and ${n} more errors that were not included`,
    seeWarnings: 'Download the error file to see all warnings.',
    seeErrors: 'Download the error file to see all errors.',
  },
  user: {
    noUserId: 'No user_id given for a user',
    noLoginId: (user: Text) => `No login_id given for user ${s(user)}`,
    noStatus: (user: Text) => `No status given for user ${s(user)}`,
    badStatus: (user: Text) => `Improper status for user ${s(user)}`,
    nul: 'Some of the fields contain NULL character',
    loginClaimed: (holder: string, user: Text) =>
      `An existing Canvas user with the ${holder} has already claimed ${s(user)}'s user_id requested login information, skipping`,
    integrationClaimed: (holder: string, user: Text) =>
      `An existing Canvas user with the ${holder} has already claimed ${s(user)}'s requested integration_id, skipping`,
    bySisId: (id: string) => `SIS ID ${id}`,
    byCanvasId: (id: number) => `Canvas ID ${id}`,
    unknownProvider: (provider: Text, user: Text) =>
      `unrecognized authentication provider ${s(provider)} for ${s(user)}, skipping`,
    yourself: (user: Text) => `Can't remove yourself user_id '${s(user)}'`,
    badLogin: (user: Text, login: Text) =>
      `Could not save the user with user_id: '${s(user)}'. Invalid login_id: '${s(login)}'`,
    notSaved: (user: Text, reason: string) =>
      `Could not save the user with user_id: '${s(user)}'. Unknown reason: ${reason}`,
    badDeclaredType: 'declared_user_type is not included in the list',
    badEmail: (user: Text, email: Text) =>
      `The email address associated with user '${s(user)}' is invalid (email: '${s(email)}')`,
  },
  login: {
    noExisting: (user: Text) => `No existing user provided for login with SIS ID ${s(user)}`,
    taken: (user: Text, login: Text) =>
      `An existing Canvas user with the SIS ID ${s(user)} or login of ${s(login)} already exists, skipping`,
    notFound: (user: Text) => `Could not find the existing user for login with SIS ID ${s(user)}, skipping`,
    noMatch: (user: Text) =>
      `An existing user does not match existing user ids provided for login with SIS ID ${s(user)}, skipping`,
  },
  account: {
    noId: 'No account_id given for an account',
    noParent: (id: Text) => `Parent account didn't exist for ${s(id)}`,
    parentDeleted: (id: Text, parent: Text) =>
      `Cannot restore sub_account with ID: ${s(id)} because parent_account with ID: ${s(parent)} has been deleted.`,
    noName: (id: Text) => `No name given for account ${s(id)}, skipping`,
    badStatus: (status: Text, id: Text) => `Improper status "${s(status)}" for account ${s(id)}, skipping`,
    hasAccounts: (id: Text) =>
      `Cannot delete the sub_account with ID: ${s(id)} because it has active sub accounts.`,
    hasCourses: (id: Text) =>
      `Cannot delete the sub_account with ID: ${s(id)} because it has active courses.`,
    circular: (id: Text, parent: Text) =>
      `Setting account ${s(id)}'s parent to ${s(parent)} would create a loop`,
  },
  term: {
    noId: 'No term_id given for a term',
    badStatus: (status: Text, id: Text) => `Improper status "${s(status)}" for term ${s(id)}`,
    noName: (id: Text) => `No name given for term ${s(id)}`,
    badDate: (id: Text) => `Bad date format for term ${s(id)}`,
    overrideUnknown: 'Cannot set date override on non-existent term',
    badOverride: 'Invalid date_override_enrollment_type',
    invalid: (id: Text, name: Text, error: string) =>
      `A term did not pass validation (term: ${s(id)} / ${s(name)}, error: ${error})`,
    isDefault: 'Workflow state Cannot delete the default term',
    hasCourses: 'Workflow state Cannot delete a term with active courses',
  },
  abstractCourse: {
    noId: 'No abstract_course_id given for an abstract course',
    noShortName: (id: Text) => `No short_name given for abstract course ${s(id)}`,
    noLongName: (id: Text) => `No long_name given for abstract course ${s(id)}`,
    badStatus: (status: Text, id: Text) => `Improper status "${s(status)}" for abstract course ${s(id)}`,
  },
  course: {
    noId: 'No course_id given for a course',
    noShortName: (id: Text) => `No short_name given for course ${s(id)}`,
    noLongName: (id: Text) => `No long_name given for course ${s(id)}`,
    badStatus: (status: Text, id: Text) => `Improper status "${s(status)}" for course ${s(id)}`,
    badFormat: (format: Text, id: Text) => `Invalid course_format "${s(format)}" for course ${s(id)}`,
    badPassback: (value: Text, id: Text) =>
      `Invalid grade_passback_setting "${s(value)}" for course ${s(id)}`,
    unknownAccount: (account: Text, id: Text) => `Account not found "${s(account)}" for course ${s(id)}`,
    accountDeleted: (id: Text, account: Text) =>
      `Cannot restore course ${s(id)} because the associated account ${s(account)} is deleted`,
    badDate: (id: Text) => `Bad date format for course ${s(id)}`,
    unknownAbstract: (id: Text) => `unknown abstract course id ${s(id)}, ignoring abstract course reference`,
    unknownBlueprint: (blueprint: Text, id: Text) =>
      `Unknown blueprint course "${s(blueprint)}" for course "${s(id)}"`,
    isBlueprint: (id: Text) => `Cannot associate course "${s(id)}" - is a blueprint course`,
    otherBlueprint: (id: Text) =>
      `Cannot associate course "${s(id)}" - is associated to another blueprint course`,
    aboveBlueprint: (id: Text) =>
      `Cannot associate course "${s(id)}" - is not in the same or lower account as the blueprint course`,
    invalid: (id: Text, name: Text, error: string) =>
      `A course did not pass validation (course: ${s(id)} / ${s(name)}, error: ${error})`,
  },
  section: {
    noId: (course: Text) => `No section_id given for a section in course ${s(course)}`,
    noCourse: (id: Text) => `No course_id given for a section ${s(id)}`,
    noName: (id: Text, course: Text) => `No name given for section ${s(id)} in course ${s(course)}`,
    badStatus: (status: Text, id: Text, course: Text) =>
      `Improper status "${s(status)}" for section ${s(id)} in course ${s(course)}`,
    unknownCourse: (id: Text, course: Text) =>
      `Section ${s(id)} references course ${s(course)} which doesn't exist`,
    badDate: (id: Text) => `Bad date format for section ${s(id)}`,
    invalid: (id: Text, name: Text, course: Text, error: string) =>
      `A section did not pass validation (section: ${s(id)} / ${s(name)}, course: ${s(course)}, error: ${error})`,
  },
  xlist: {
    noCourse: 'No xlist_course_id given for a cross-listing',
    noSection: 'No section_id given for a cross-listing',
    badStatus: (status: Text) => `Improper status "${s(status)}" for a cross-listing`,
    unknownSection: (id: Text) => `A cross-listing referenced a non-existent section ${s(id)}`,
  },
  enrollment: {
    noPlace: 'No course_id or section_id given for an enrollment',
    noUser: 'No user_id given for an enrollment',
    badStatus: (status: Text) => `Improper status "${s(status)}" for an enrollment`,
    badDate: (user: Text, course: Text, section: Text) =>
      `Bad date format for user ${s(user)} in ${course ? `course ${course}` : `section ${s(section)}`}`,
    userNotFound: (user: Text, course: Text, section: Text) =>
      `User not found for enrollment (User ID: ${s(user)}, Course ID: ${s(course)}, Section ID: ${s(section)})`,
    placeNotFound: (course: Text, section: Text, user: Text) =>
      `Neither course nor section existed for user enrollment (Course ID: ${s(course)}, Section ID: ${s(section)}, User ID: ${s(user)})`,
    unknownSection: (section: Text) => `An enrollment referenced a non-existent section ${s(section)}`,
    unknownCourse: (course: Text) => `An enrollment referenced a non-existent course ${s(course)}`,
    unrelated: (section: Text, course: Text, user: Text) =>
      `An enrollment listed a section (${s(section)}) and a course (${s(course)}) that are unrelated for user (${s(user)})`,
    badRole: (role: Text) => `Improper role "${s(role)}" for an enrollment`,
    blueprint: (type: string, user: Text, course: Text) =>
      `${type} enrollment for "${s(user)}" not allowed in blueprint course "${s(course)}"`,
    unknownAssociated: (user: Text) => `An enrollment referenced a non-existent associated user ${s(user)}`,
    deletedUser: (user: Text, course: Text) =>
      `Attempted enrolling of deleted user ${s(user)} in course ${s(course)}`,
    deletedLogin: (login: Text, course: Text) =>
      `Attempted enrolling with deleted sis login ${s(login)} in course ${s(course)}`,
    otherLogin: (user: Text, course: Text) =>
      `Enrolled a user ${s(user)} in course ${s(course)}, but referenced a deleted sis login`,
    unknownSource: (user: Text) =>
      `An enrollment referenced a non-existent temporary enrollment source user ${s(user)}`,
    // Repeats the message's beginning as Canvas does, the second time without user and role (§9.5).
    invalid: (course: Text, section: Text, user: Text, role: Text, error: string) => {
      const start = `An enrollment did not pass validation (course: ${s(course)}, section: ${s(section)}, `;
      return `${start}user: ${s(user)}, role: ${s(role)}, error: ${start}${error})`;
    },
    badCourse: 'Course is not a valid course',
    badSection: 'Course section is not a valid section',
    observeYourself: 'Associated user Cannot observe yourself',
    observeObserver: 'Associated user Cannot observe observer observing self',
  },
  groupCategory: {
    noId: 'No sis_id given for a group category',
    noName: (id: Text) => `No name given for group category ${s(id)}`,
    noStatus: (id: Text) => `No status given for group category ${s(id)}`,
    badStatus: (status: Text, id: Text) =>
      `Improper status "${s(status)}" for group category ${s(id)}, skipping`,
    twoContexts: (id: Text) =>
      `Only one context is allowed and both course_id and account_id where provided for group category ${s(id)}.`,
    unknownAccount: (account: Text, id: Text) =>
      `Account with id "${s(account)}" didn't exist for group category ${s(id)}`,
    unknownCourse: (course: Text, id: Text) =>
      `Course with id "${s(course)}" didn't exist for group category ${s(id)}`,
    hasGroups: (id: Text) => `Cannot move group category ${s(id)} because it has groups in it.`,
    invalid: (id: Text, error: string) =>
      `A group category did not pass validation (group category: ${s(id)}, error: ${error})`,
    nameTaken: (name: Text) => `Name ${s(name)} is already in use.`,
    nameReserved: (name: Text) => `Name ${s(name)} is a reserved name.`,
  },
  group: {
    noId: 'No group_id given for a group.',
    noName: (id: Text) => `No name given for group ${s(id)}.`,
    badStatus: (status: Text, id: Text) => `Improper status "${s(status)}" for group ${s(id)}.`,
    twoContexts: (id: Text) =>
      `Only one context is allowed and both course_id and account_id where provided for group ${s(id)}.`,
    unknownAccount: (account: Text, id: Text) =>
      `Account with sis id ${s(account)} didn't exist for group ${s(id)}.`,
    unknownCourse: (course: Text, id: Text) =>
      `Course with sis id ${s(course)} didn't exist for group ${s(id)}.`,
    unknownCategory: (category: Text, id: Text) =>
      `Group Category ${s(category)} didn't exist for group ${s(id)}.`,
    categoryNotInCourse: (category: Text, course: Text, id: Text) =>
      `Group Category ${s(category)} didn't exist in course ${s(course)} for group ${s(id)}.`,
    categoryNotInAccount: (category: Text, account: Text, id: Text) =>
      `Group Category ${s(category)} didn't exist in account ${s(account)} for group ${s(id)}.`,
    hasMembers: (id: Text) => `Cannot move group ${s(id)} because it has group_memberships.`,
    invalid: (id: Text, error: string) =>
      `A group did not pass validation (group: ${s(id)}, error: ${error})`,
  },
  groupMembership: {
    noGroup: 'No group_id given for a group user',
    noUser: 'No user_id given for a group user',
    badStatus: (status: Text) => `Improper status "${s(status)}" for a group user`,
    unknownUser: (user: Text) => `User ${s(user)} didn't exist for group user`,
    unknownGroup: (group: Text) => `Group ${s(group)} didn't exist for group user`,
    notEnrolled: (user: Text, group: Text) =>
      `User ${s(user)} doesn't have an enrollment in the course of group ${s(group)}.`,
    full: (user: Text, group: Text) =>
      `A group user did not pass validation (user: ${s(user)}, group: ${s(group)}, error: Group The group is full.)`,
  },
  differentiation: {
    notEnabled: (account: number) => `Differentiation Tags are not enabled for Account ${account}.`,
    set: {
      noId: 'No sis_id given for a differentiation tag set',
      noName: (id: Text) => `No name given for differentiation tag set ${s(id)}`,
      noStatus: (id: Text) => `No status given for differentiation tag set ${s(id)}`,
      badStatus: (status: Text, id: Text) =>
        `Improper status "${s(status)}" for differentiation tag set ${s(id)}, skipping`,
      noCourse: (id: Text) => `No course_id given for differentiation tag set ${s(id)}`,
      unknownCourse: (course: Text, id: Text) =>
        `Course with id "${s(course)}" didn't exist for differentiation tag set ${s(id)}`,
    },
    tag: {
      noId: 'No tag_id given for a differentiation tag.',
      noName: (id: Text) => `No name given for differentiation tag ${s(id)}.`,
      badStatus: (status: Text, id: Text) =>
        `Improper status "${s(status)}" for differentiation tag ${s(id)}.`,
      unknownCourse: (course: Text, id: Text) =>
        `Course with sis id ${s(course)} didn't exist for differentiation tag ${s(id)}.`,
      unknownSet: (set: Text, id: Text) =>
        `Differentiation Tag Set ${s(set)} didn't exist for differentiation tag ${s(id)}.`,
      noPlace: (id: Text) =>
        `No tag_set_id or course_id given for differentiation tag ${s(id)}. At least one is required for new tags.`,
    },
    member: {
      noTag: 'No tag_id given for a differentiation tag user',
      noUser: 'No user_id given for a differentiation tag user',
      badStatus: (status: Text) => `Improper status "${s(status)}" for a differentiation tag user`,
      unknownUser: (user: Text) => `User ${s(user)} didn't exist for differentiation tag user`,
      unknownTag: (tag: Text) => `Differentiation tag ${s(tag)} didn't exist for differentiation tag user`,
    },
  },
  admin: {
    noUser: 'No user_id given for admin',
    noStatus: 'No status given for admin',
    noRole: 'No role_id or role given for admin',
    badStatus: (status: Text) => `Invalid status ${s(status)} for admin`,
    badAccount: 'Invalid account_id given for admin',
    badRole: (role: Text) => `Invalid role '${s(role)}' for admin`,
    badRoleId: (role: Text) => `Invalid role_id '${s(role)}' for admin`,
    unknownUser: (user: Text) => `Invalid or unknown user_id '${s(user)}' for admin`,
    yourself: (user: Text) => `Can't remove yourself user_id '${s(user)}'`,
  },
  userObserver: {
    noObserver: 'No observer_id given for a user observer',
    noStudent: 'No user_id given for a user observer',
    yourself: (user: Text) => `Can't observe yourself user ${s(user)}`,
    badStatus: (status: Text) => `Improper status "${s(status)}" for a user_observer`,
    unknownObserver: (user: Text) => `An observer referenced a non-existent user ${s(user)}`,
    unknownStudent: (user: Text) => `A student referenced a non-existent user ${s(user)}`,
    notThere: (observer: Text, student: Text) =>
      `Can't delete a non-existent observer for observer: ${s(observer)}, student: ${s(student)}`,
  },
  changeSisId: {
    noType: 'No type given for change_sis_id',
    noOld: 'No old_id or old_integration_id given for change_sis_id',
    noNew: 'No new_id or new_integration_id given for change_sis_id',
    badType: (type: Text) => `Invalid type '${s(type)}' for change_sis_id`,
    newTaken: (to: Text, type: string, column: string, old: Text) =>
      `A new_id, '${s(to)}', referenced an existing ${type} and the ${type} with ${column} '${s(old)}' was not updated`,
    newIntegrationTaken: (to: Text, type: string, old: Text) =>
      `A new_integration_id, '${s(to)}', referenced an existing ${type} and the ${type} with integration_id '${s(old)}' was not updated`,
    oldUnknown: (old: Text, type: string) =>
      `An old_id, '${s(old)}', referenced a non-existent ${type} and was not changed.`,
    oldIntegrationUnknown: (old: Text, type: string) =>
      `An old_integration_id, '${s(old)}', referenced a non-existent ${type} and was not changed.`,
    different: (old: Text, type: string, integration: Text) =>
      `An old_id, '${s(old)}', referenced a different ${type} than the old_integration_id, '${s(integration)}'`,
    noIntegration: 'Group categories should not have integration IDs.',
  },
  gradePublishing: {
    noEnrollment: 'No enrollment_id given',
    noStatus: (id: Text) => `No grade_publishing_status given for enrollment ${s(id)}`,
    badStatus: (status: Text, id: Text) =>
      `Improper grade_publishing_status "${s(status)}" for enrollment ${s(id)}`,
    unknown: (id: Text) => `Enrollment ${s(id)} doesn't exist`,
  },
  batch: {
    wouldDelete: (n: number, what: string, percent: number) =>
      `${n} ${what} would be deleted and exceeds the set threshold of ${percent}%`,
    noTerms: 'Terms not found. Terms must be included with multi_term_batch_mode',
  },
  diff: {
    sizeExceeded: 'Diffing not performed because file size difference exceeded threshold',
    rowsExceeded: 'Diffing not performed because difference row count exceeded threshold',
    mismatched: (kind: string) =>
      `Unable to perform diffing against mismatched previous and current ${kind} imports`,
    failed: (reason: string) => `Couldn't generate diff: ${reason}`,
    otherHeaders: 'CSV headers do not match, cannot diff',
    remaster: 'Too many consecutive batches exceeded the change threshold. A remaster is required.',
  },
  restore: {
    row: (row: string) => `Couldn't rollback SIS batch data for row - ${row}`,
  },
  request: {
    rootOnly: 'SIS imports can only be executed on root accounts',
    notEnabled: 'SIS imports are not enabled for this account',
    noAttachment: 'Missing attachment',
    utf8: 'Invalid content type, UTF-8 required',
    noTerm: 'Batch mode specified, but the given batch_mode_term_id cannot be found.',
    noThreshold: 'change_threshold is required to use multi term_batch mode.',
    badBatchDrop: 'Invalid batch_mode_enrollment_drop_status',
    badDiffDrop: 'Invalid diffing_drop_status',
    badUserRemove: 'Invalid diffing_user_remove_status',
    bothRestores: 'cannot set both undelete_only and unconclude_only',
    noUndoData: 'restore data unavailable',
  },
} as const;

const n = (count: number) => count.toLocaleString('en-GB');
export const people = (count: number) => (count === 1 ? '1 person' : `${n(count)} people`);

/** Texts of the page Access. */
export const texts = {
  title: 'Access',
  purpose: 'Who can use LMS Admin, what they can do, and where. Every change is reviewed before it is saved.',
  views: 'Sections of this page',
  view: {
    people: 'People',
    check: 'Check access',
    history: 'History',
    requests: 'Requests',
    lms: 'LMS administrators',
  },
  fileOnly:
    'Access is managed in a file. You can view and test it on this page, but you cannot change it here.',
  fileOnlyNext: 'Only the operator of LMS Admin can change the file.',
  failed: 'Access could not be loaded.',

  people: {
    title: 'People',
    login: 'Login',
    where: 'Where',
    tools: 'Tools',
    roles: 'Roles',
    state: 'State',
    ends: 'Ends',
    reason: 'Reason',
    everywhere: 'The whole school',
    everyRole: 'Every role',
    everywhereExcept: (kept: string) => `The whole school, except ${kept}`,
    rolesOf: {
      course: (roles: string) => `Roles for courses: ${roles}`,
      section: (roles: string) => `Roles for sections: ${roles}`,
    },
    states: {
      missing: 'Not in the LMS',
      incomplete: 'Incomplete',
      unused: 'Never signed in',
    },
    missing: (count: number) =>
      count === 1
        ? '1 of these logins is not in the LMS.'
        : `${n(count)} of these logins are not in the LMS.`,
    missingNext: (logins: string) =>
      `${logins}. No one can use these records. Check the spelling of the logins.`,
    unread: (count: number) =>
      count === 1
        ? 'LMS Admin could not check 1 login of a person who has never signed in.'
        : `LMS Admin could not check ${n(count)} logins of people who have never signed in.`,
    idle: (count: number) =>
      count === 1
        ? 'The record of 1 person is incomplete.'
        : `The records of ${n(count)} people are incomplete.`,
    idleNext:
      'Without a tool, a programme or a role, a person can do little or nothing. To see these records, filter the State column.',
    idleAdmins: (logins: string) => `Never signed in: ${logins}.`,
    idleAdminsNext:
      'At least one person must always be able to change access. An access administrator who has never signed in does not count as that person.',
    lastEnds: (when: string) => `From ${when}, no one will be able to change access.`,
    lastEndsNext:
      'Every access administrator will lose this permission. Give it to a person whose access has no end date, and have them sign in.',
    openOf: (login: string) => `Open ${login}`,
    programme: 'People in a programme',
    programmeHint: 'Includes people with access to an account above it, or to the whole school.',
    add: 'Add people',
    change: (count: number) => `Change ${people(count)}`,
    empty: 'No one has access.',
    role: (label: string, level: 'course' | 'section') => `${label} (${level})`,
    endsIn: {
      never: 'No end date',
      ended: 'Ended',
      3: 'Within 3 days',
      14: 'Within 14 days',
      later: 'Later',
    },
    soon: (count: number) =>
      count === 1
        ? 'The access of 1 person ends within 14 days.'
        : `The access of ${n(count)} people ends within 14 days.`,
    soonNext: 'To see them, filter the Ends column.',
  },

  record: {
    titleNew: 'Add people',
    titleOf: (login: string) => `Access of ${login}`,
    titleMany: (count: number) => `Change ${people(count)}`,
    logins: 'Logins',
    loginsHint: 'The LMS login of each person, one per line or separated by commas.',
    copyFrom: 'Copy access from',
    copyNone: 'No one',
    reach: 'Where',
    everywhere: 'The whole school',
    programmes: 'Programmes',
    programmesOnly: 'Some programmes',
    programmesHint: 'Everything below a programme is included.',
    tools: 'Tools',
    onlyAll: 'Only for the whole school',
    courseRoles: 'Roles for courses',
    sectionRoles: 'Roles for sections',
    rolesHint: 'Roles that can be assigned.',
    queue: 'Remove courses from the Zoom queue',
    reason: 'Reason',
    reasonHint: 'Why the person has access.',
    ends: 'Last day',
    endsHint: 'Access ends at the end of this day. If you leave this empty, access has no end date.',
    end: 'End date',
    endOn: 'Set an end date',
    endNever: 'Remove the end date',
    endsHintOfMany: 'Access ends at the end of this day.',
    onlyAllOfMany: 'System is not listed, because it is only for people with access to the whole school.',
    disabled: 'Disabled: the record is kept, but the person cannot sign in',
    keep: 'Keep as it is',
    state: 'State',
    enable: 'Enable',
    disable: 'Disable',
    setEnd: 'Last day',
    signedIn: (when: string) => `Last signed in: ${when}.`,
    neverSignedIn: 'This person has never signed in to LMS Admin.',
    addTool: 'Add a tool',
    removeTool: 'Remove a tool',
    placesFailed: 'The programmes and roles could not be loaded.',
    noLogin: 'Enter at least one login.',
    notEmail: (login: string) =>
      `LMS Admin needs the email address of ${login}. Add people whose login is not an email address one at a time.`,
    emailHint: 'The login is not an email address. Enter the email address of this person.',
    noEmail: 'Enter the email address of this person.',
    email: 'Email',
    review: 'Review the change',
    close: 'Close',
    cancel: 'Close without saving',
  },

  review: {
    title: (count: number) => `Change the access of ${people(count)}?`,
    waiting: 'Checking which permissions change …',
    failed: 'The change could not be reviewed.',
    nothing: 'Nothing changes.',
    gains: 'Gains',
    loses: 'Loses',
    ends: (when: string) => `Access ends on ${when}.`,
    noEnd: 'The end date is removed.',
    reason: (text: string) => `Reason: ${text}`,
    same: 'No permissions change.',
    why: 'Why (shown in the history)',
    save: (count: number) => `Save access for ${people(count)}`,
    ask: 'Ask for approval',
    second: 'A second access administrator must approve this.',
    secondNext: 'The request is shown under Requests for 7 days.',
    back: 'Back to the record',
    saveFailed: 'The change was not saved.',
    saved: (count: number) => `The access of ${people(count)} was saved.`,
    requested: 'The request is waiting for a second access administrator.',
    runs: (refused: number, runs: number, login: string) =>
      runs === 1
        ? `With this change, the only work that ${login} started in the last 90 days would not be allowed.`
        : `With this change, ${n(refused)} of the ${n(runs)} times that ${login} started work in the last 90 days would not be allowed.`,
    noRuns: (login: string) => `${login} has not started any work in the last 90 days.`,
    allRuns: (runs: number, login: string) =>
      runs === 1
        ? `The only work that ${login} started in the last 90 days would still be allowed.`
        : `Everything that ${login} started in the last 90 days would still be allowed (${n(runs)} entries in Activity).`,
    unchecked: (count: number) =>
      count === 1
        ? '1 entry in Activity could not be checked completely, because it does not say which courses were changed.'
        : `${n(count)} entries in Activity could not be checked completely, because they do not say which courses were changed.`,
    more: (count: number) => `and ${n(count)} more`,
    notReplayed: (count: number) =>
      `The previous work of ${people(count)} was not checked, because the change covers too many people. To have their work checked, change fewer people at a time.`,
    people: 'Changes by person',
  },

  check: {
    title: 'Check access',
    purpose: 'See everything a person can do, whether a person can do something, or who can do something.',
    person: 'Person',
    personHint: 'The login of a person.',
    everyone: 'Everyone who can',
    action: 'Action',
    anything: 'Everything they can do',
    role: 'With the role',
    anyRole: 'Any role',
    course: 'In the course',
    programme: 'In the programme',
    anyPlace: 'Leave this empty to ask about any programme.',
    kind: 'What to check',
    kinds: {
      person: 'Everything a person can do',
      question: 'Whether a person can do something',
      who: 'Who can do something',
    },
    ask: 'Check',
    yes: (login: string, words: string) => `Yes: ${login} can ${words}.`,
    no: (login: string, words: string) => `No: ${login} cannot ${words}.`,
    as: (role: string) => ` as ${role}`,
    in: (place: string) => ` (${place})`,
    decides: 'Deciding rule',
    rules: 'All rules',
    holds: 'Met',
    fails: 'Not met',
    failed: 'The question could not be answered.',
    who: (count: number, of: number, words: string) => `${n(count)} of ${people(of)} can ${words}.`,
    whoTable: 'People who can',
    none: 'No one can do this.',
  },

  history: {
    title: 'History',
    at: 'When',
    by: 'Changed by',
    approved: (by: string) => `approved by ${by}`,
    login: 'Person',
    what: 'Change',
    details: 'Details',
    why: 'Why',
    export: 'Export as CSV',
    more: 'Show earlier changes',
    loaded: 'changes loaded',
    partly: (count: number) =>
      `The latest ${n(count)} changes are loaded. Search and filters cover only these. The CSV file has all of them.`,
    empty: 'No changes have been made.',
    kinds: {
      import: 'Imported from the file',
      add: 'Added',
      change: 'Changed',
      disable: 'Disabled',
      enable: 'Enabled',
      grant: 'Granted on the command line',
    } as Record<string, string>,
    gained: (rights: string) => `Gained: ${rights}.`,
    lost: (rights: string) => `Lost: ${rights}.`,
    ends: (from: string, to: string) => `Ends: ${from} → ${to}.`,
    never: 'no end date',
    reason: (from: string, to: string) => `Reason: ${from} → ${to}.`,
    noReason: 'none',
    email: (from: string, to: string) => `Email: ${from} → ${to}.`,
  },

  requests: {
    title: 'Requests',
    purpose:
      'A second access administrator must approve changes that concern the whole school, and changes that administrators make to their own record.',
    empty: 'No requests are waiting.',
    by: (who: string, until: string) => `Requested by ${who}. Expires on ${until}.`,
    why: (text: string) => `Why: ${text}`,
    approve: 'Approve the request',
    refuse: 'Reject the request',
    withdraw: 'Withdraw the request',
    failed: 'Your decision could not be saved.',
    decided: 'Your decision was saved.',
  },

  lms: {
    title: 'LMS administrators',
    purpose:
      'Differences between the access records and the administrators in the LMS. These are suggestions. Nothing changes automatically.',
    login: 'Login',
    name: 'Name',
    difference: 'Difference',
    noRole: 'Has access here, but no administrator role in the LMS',
    noAccess: (accounts: string) => `Administrator in the LMS (${accounts}), but no access here`,
    act: 'Suggestion',
    add: 'Add',
    addOf: (login: string) => `Add ${login}`,
    empty: 'The records match the LMS.',
    failed: 'The LMS did not answer.',
    unread: (accounts: string) =>
      `The LMS did not return the administrators of these accounts: ${accounts}. People without an administrator role are therefore not listed.`,
    notCompared: (count: number) =>
      `The LMS has too many accounts: ${n(count)} were not compared. People without an administrator role are therefore not listed.`,
    compared: (count: number) => `${n(count)} accounts were compared.`,
  },
} as const;

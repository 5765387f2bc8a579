/** Texts of the system page. */

import type { SystemCheck, SystemKept } from '@lms-admin/contract/system';
import { counted, grouped } from '@lms-admin/domain/numbers';

export const texts = {
  title: 'System',
  purpose: 'The state of this installation, for the people who run it. Opening this page is recorded.',
  openFailed: 'The system page could not be opened.',
  retry: 'Check again',
  seenAt: (time: string) => `Checked at ${time}`,
  loading: (title: string) => `Loading: ${title}`,
  failed: (title: string) => `This part could not be loaded: ${title}.`,

  states: { ok: 'Works', warn: 'Needs attention', fail: 'Does not work', skip: 'Not checked' },

  about: 'This server',
  facts: {
    version: 'Version',
    node: 'Node',
    mode: 'Mode',
    database: 'Database',
    started: 'Running since',
  },
  modes: { practice: 'Practice', production: 'Production' },
  databases: { pglite: 'Embedded', postgres: 'PostgreSQL' },

  checks: 'Checks',
  checkTitles: {
    machine: 'Machine and disk',
    settings: 'Settings, access file and key',
    proxy: 'Proxy',
    database: 'Database',
    lms: 'LMS, developer key and service token',
    systems: 'Zoom, Qualtrics, image store and timetable',
    address: 'Public address',
  } satisfies Record<SystemCheck, string>,

  connection: 'Browser and proxy',
  connectionFacts: {
    opened: 'Opened at',
    origin: 'Address in the settings',
    host: 'Host name seen by the server',
    protocol: 'Protocol seen by the server',
    address: 'Your address seen by the server',
    peer: 'Connection from',
  },
  headers: 'Headers added by the proxy',
  noHeaders: 'No proxy has added a header.',
  address: 'address',
  https: 'https',
  sameAddress: (host: string) => `This page was opened at ${host}, the address in the settings.`,
  otherAddress: (host: string, set: string) =>
    `This page was opened at ${host}, but LMS_ADMIN_URL is set to ${set}.`,
  otherAddressNext: 'Open LMS Admin at the address in the settings, or correct LMS_ADMIN_URL.',
  secure: 'The browser uses https.',
  plain: 'The browser uses http. Use this only on a single machine.',
  otherScheme: (own: string, set: string) =>
    `The browser uses ${own}//, but LMS_ADMIN_URL is set to ${set}//.`,
  otherSchemeNext: 'Configure the proxy to redirect browsers to the address in the settings.',

  clocks: 'Clocks',
  clock: 'clock',
  browser: 'Browser',
  server: 'Server',
  database: 'Database',
  apart(name: string, milliseconds: number): string {
    const seconds = Math.abs(milliseconds / 1_000).toLocaleString('en-GB', { maximumFractionDigits: 1 });
    if (Math.abs(milliseconds) < 50) return `${name} and server have the same time.`;
    return `${name}: ${seconds} s ${milliseconds > 0 ? 'ahead of' : 'behind'} the server.`;
  },
  browserClockNext: 'Let this computer set its clock automatically.',
  databaseClockNext: 'Synchronise the server and the database with a time server.',

  work: 'Work',
  held: 'Work has been held since a restore',
  heldText: (jobs: number, since: string, backup: string) =>
    `A backup from ${backup} was restored on ${since}. Work that changes other systems waits until it is released. ${
      jobs === 0
        ? 'No work is waiting at the moment.'
        : `${counted(jobs, 'job')} ${jobs === 1 ? 'is' : 'are'} waiting at the moment.`
    }`,
  heldNext:
    'Before you release the work, check the unfinished work from the backup in Activity. You can also release it with “lms-admin release”.',
  release: 'Release held work',
  releaseTitle: (jobs: number) =>
    jobs === 0
      ? 'Release held work?'
      : `Release ${jobs === 1 ? '1 waiting job' : `${grouped(jobs)} waiting jobs`}?`,
  releaseText:
    'LMS Admin continues this work within seconds, and changes the LMS and Zoom. It first checks what they already have, and does not send that again. You cannot undo this.',
  releaseKeep: 'Keep holding the work',
  releaseYes: 'Release',
  releaseFailed: 'The work could not be released.',
  released: (jobs: number) =>
    jobs === 0 ? 'Released. No work was waiting.' : `Released. ${counted(jobs, 'job')} will continue.`,
  notHeld: 'Nothing was held. The work has already been released.',
  migrations: (applied: number, known: number) =>
    applied === known
      ? `All ${counted(known, 'migration')} of this version have been applied to the database.`
      : `The database has ${counted(applied, 'migration')}, but this version has ${grouped(known)}.`,
  open: 'Waiting and running',
  noneOpen: 'All work has ended.',
  openColumns: { kind: 'Kind', state: 'State', jobs: 'Jobs', oldest: 'Oldest' },
  jobStates: {
    queued: 'Queued',
    running: 'Running',
    waiting: 'Waiting',
    done: 'Done',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  signIns: 'Waiting for a sign-in',
  noneSignIn: 'No work is waiting for a sign-in.',
  signInColumns: { who: 'Person', jobs: 'Jobs', since: 'Since', until: 'Until' },
  signInsNext:
    'This work continues after the person has signed in again. Without a sign-in, it fails at the time shown.',
  waits: 'Waiting for other systems',
  noneWaits: 'No work is waiting for another system.',
  waitColumns: { why: 'Reason', jobs: 'Jobs', since: 'Since' },
  waitsNext:
    'This work continues when the system answers, or when LMS Admin is restarted with the new key or token.',
  failedJobs: 'Failed in the last seven days',
  noneFailed: 'No work has failed in the last seven days.',
  failedColumns: { what: 'Work', kind: 'Kind', when: 'Ended' },
  awardImport: 'Best Teaching Award Import',
  toActivity: (tool: string) => `${tool}: details in Activity`,

  directory: {
    title: 'Directory',
    about:
      'A copy of the people, courses and sections of the LMS, read once a day from an LMS report. Every tool works without it.',
    states: {
      ready: 'The directory is ready.',
      old: 'The directory is not used, because it is older than three days.',
      other: 'The directory is not used, because it belongs to another LMS.',
      empty: 'The directory has not been read yet.',
      off: 'The directory is switched off.',
    },
    running: (stage: string) => `A refresh is running: ${stage}.`,
    facts: {
      asOf: 'As of',
      people: 'People',
      courses: 'Courses',
      sections: 'Sections',
      size: 'Size',
      next: 'Next refresh',
    },
    number: (rows: number | undefined) => (rows === undefined ? '–' : grouped(rows)),
    refresh: 'Refresh now',
    refreshFailed: 'The refresh could not be started.',
    started: 'The directory is being refreshed. The LMS may take minutes or hours to create its report.',
    joined: 'A refresh is already running.',
    runs: 'Recent refreshes',
    noRuns: 'The directory has not been refreshed yet.',
    columns: { started: 'Started', outcome: 'Outcome', rows: 'Rows', why: 'Reason, and what to do' },
    outcomes: { open: 'In progress', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' },
  },

  outside: 'Outside systems',
  outsideAbout: (minutes: number) =>
    `Calls from this server in the last ${minutes} minutes, but at most the latest 200 for each system.`,
  outsideTable: 'Calls by system',
  outsideColumns: {
    system: 'System',
    calls: 'Calls',
    median: 'Median',
    slowest: 'Slowest',
    throttled: 'Throttled',
    failed: 'Failed',
    total: 'Since start',
  },
  milliseconds: (ms: number | null) => (ms === null ? '–' : `${ms.toLocaleString('en-GB')} ms`),
  noneOutside: 'No outside system is set up.',

  storage: 'Sizes',
  storageFacts: { database: 'Database', folder: 'Data folder', files: 'Work files', images: 'Images' },
  filesOf: (number: number, size: string) => `${counted(number, 'file')}, ${size}`,
  imagesOf: (number: number, size: string) => `${counted(number, 'image')}, ${size}`,
  tables: 'Tables',
  tableColumns: { table: 'Table', size: 'Size' },
  noTables: 'The database has no tables.',

  kept: 'When data is deleted',
  keptAbout:
    'Data that names people is deleted a number of days after the work ends. LMS Admin checks for such data every ten minutes.',
  keptTable: 'Kinds of data',
  keptColumns: { kind: 'Kind', rule: 'Kept', number: 'Number now', next: 'Next deletion' },
  rule({ forgotten, days }: SystemKept['kinds'][number]): string {
    if (forgotten === 'never') return 'indefinitely';
    if (forgotten === 'unused' || days === null) return 'until it ends';
    if (forgotten === 'age') return counted(days, 'day');
    return `until ${counted(days, 'day')} after it ends`;
  },
  noneKept: 'Nothing is kept.',

  errors: 'Recent errors',
  errorsAbout:
    'Warnings and errors that this server has logged since it started. For older ones, see the log.',
  noneErrors: 'This server has logged no warnings or errors since it started.',
  errorTable: 'Warnings and errors',
  errorColumns: { when: 'When', level: 'Level', what: 'Message', type: 'Failure', request: 'Reference' },
  levels: { warn: 'Warning', error: 'Error' },

  support: 'Support text',
  supportAbout:
    'The state of the installation as one text that you can send to support. It does not contain names, addresses or secrets. Read it before you send it.',
  supportMake: 'Create support text',
  supportMaking: 'Creating the support text …',
  supportFailed: 'The support text could not be created.',
  supportCopy: 'Copy support text',
  supportCopied: 'The support text was copied.',
  supportNotCopied: 'Your browser does not let this page copy. Select the text, and copy it.',
  supportLine: (sound: boolean, ahead: number | null) =>
    `Browser: address and https ${sound ? 'as in the settings' : 'NOT as in the settings'}, clock ${
      ahead === null ? 'not known' : `${(Math.round(ahead * 10) / 10 || 0).toFixed(1)} s ahead of the server`
    }`,
} as const;

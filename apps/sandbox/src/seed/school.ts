/** The plan of the practice school: programmes, their offices, terms, roles and subjects. Plain data. */

export const SCHOOL = 'Northbridge Business School';
export const DOMAIN = 'northbridge.example';
/** The day of the seed; all dates in the seed are relative to it. */
export const BASE_DATE = Date.UTC(2026, 8, 1, 8, 0, 0);
export const TIME_ZONE = 'Europe/Paris';

export type Campus = 'FBL' | 'SGP' | 'ABD';
export const CAMPUSES: readonly Campus[] = ['FBL', 'SGP', 'ABD'];

export type Office = { id: number; name: string; children?: readonly Office[] };

export type Programme = {
  id: number;
  name: string;
  /** The first part of the SIS IDs of its courses, before the year. */
  code: string;
  /** The first word in the names of the terms in which its courses run. */
  terms: string;
  /** Its share of all students. */
  weight: number;
  /** How many courses the default and large sizes have. */
  courses: { default: number; large: number };
  offices: readonly Office[];
};

/** The direct sub-accounts of the root account. */
export const PROGRAMMES: readonly Programme[] = [
  {
    id: 86,
    name: 'MBA',
    code: 'MBA',
    terms: 'MBA',
    weight: 30,
    courses: { default: 180, large: 5000 },
    offices: [
      { id: 301, name: 'MBA Core Courses' },
      {
        id: 302,
        name: 'MBA Electives',
        children: [
          { id: 311, name: 'Electives Fontainebleau' },
          { id: 312, name: 'Electives Singapore' },
          { id: 313, name: 'Electives Abu Dhabi' },
        ],
      },
      { id: 303, name: 'MBA Exchange' },
    ],
  },
  {
    id: 163,
    name: 'GEMBA',
    code: 'GEMBA',
    terms: 'EMBA',
    weight: 10,
    courses: { default: 64, large: 2200 },
    offices: [
      {
        id: 321,
        name: 'GEMBA Core',
        children: [
          { id: 322, name: 'GEMBA Core Europe' },
          { id: 323, name: 'GEMBA Core Asia' },
        ],
      },
      { id: 324, name: 'GEMBA Electives' },
    ],
  },
  {
    id: 83,
    name: 'PHD',
    code: 'PHD',
    terms: 'PHD',
    weight: 3,
    courses: { default: 40, large: 900 },
    offices: [
      { id: 331, name: 'PHD Seminars', children: [{ id: 332, name: 'Methods Seminars' }] },
      { id: 333, name: 'PHD Workshops' },
    ],
  },
  {
    id: 120,
    name: 'MIM',
    code: 'MIM',
    terms: 'MIM',
    weight: 16,
    courses: { default: 84, large: 2800 },
    offices: [
      { id: 341, name: 'MIM Core', children: [{ id: 342, name: 'MIM Bootcamp' }] },
      { id: 343, name: 'MIM Electives' },
    ],
  },
  {
    id: 138,
    name: 'MFIN',
    code: 'MFIN',
    terms: 'MFIN',
    weight: 9,
    courses: { default: 56, large: 1800 },
    offices: [{ id: 351, name: 'MFIN Core', children: [{ id: 352, name: 'MFIN Quantitative Labs' }] }],
  },
  {
    id: 167,
    name: 'TIEMBA',
    code: 'TIEMBA',
    terms: 'EMBA',
    weight: 6,
    courses: { default: 36, large: 1200 },
    offices: [{ id: 361, name: 'TIEMBA Modules', children: [{ id: 362, name: 'TIEMBA Beijing Modules' }] }],
  },
  {
    id: 2,
    name: 'BFC',
    code: 'BFC',
    terms: 'BFC',
    weight: 5,
    courses: { default: 26, large: 800 },
    offices: [{ id: 371, name: 'BFC Online' }],
  },
  {
    id: 73,
    name: 'MCC',
    code: 'MCC',
    terms: 'MCCC',
    weight: 3,
    courses: { default: 24, large: 700 },
    offices: [{ id: 375, name: 'MCC Practicum' }],
  },
  {
    id: 269,
    name: 'Executive Master in Change',
    code: 'EMC',
    terms: 'MCCC',
    weight: 3,
    courses: { default: 24, large: 700 },
    offices: [{ id: 379, name: 'Change Modules', children: [{ id: 380, name: 'Change Field Work' }] }],
  },
  {
    id: 140,
    name: 'Executive Master in Finance',
    code: 'EMF',
    terms: 'MFIN',
    weight: 4,
    courses: { default: 28, large: 900 },
    offices: [{ id: 383, name: 'Finance Weekends' }],
  },
  {
    id: 66,
    name: 'Open Enrolment Programmes',
    code: 'OEP',
    terms: 'EXED',
    weight: 4,
    courses: { default: 30, large: 1000 },
    offices: [{ id: 387, name: 'Leadership', children: [{ id: 388, name: 'Women in Leadership' }] }],
  },
  {
    id: 210,
    name: 'Company Specific Programmes',
    code: 'CSP',
    terms: 'EXED',
    weight: 4,
    courses: { default: 26, large: 900 },
    offices: [
      { id: 391, name: 'Energy Sector' },
      { id: 392, name: 'Financial Sector' },
    ],
  },
  {
    id: 222,
    name: 'Online Short Courses',
    code: 'OSC',
    terms: 'ONLINE',
    weight: 2,
    courses: { default: 20, large: 800 },
    offices: [],
  },
  {
    id: 230,
    name: 'Faculty and Staff Learning',
    code: 'FSL',
    terms: 'EXED',
    weight: 1,
    courses: { default: 12, large: 300 },
    offices: [{ id: 395, name: 'Teaching Lab' }],
  },
];

export type TermPlan = {
  id: number;
  name: string;
  sis: string | null;
  start: string | null;
  end: string | null;
};

/** Terms, named by programme prefix; Canvas lists undated ones first. */
export const TERMS: readonly TermPlan[] = [
  { id: 1, name: 'Default Term', sis: null, start: null, end: null },
  { id: 10, name: 'MBA 2025-26 P1', sis: 'MBA-2526-P1', start: '2025-08-25', end: '2025-10-24' },
  { id: 11, name: 'MBA 2025-26 P2', sis: 'MBA-2526-P2', start: '2025-10-27', end: '2025-12-19' },
  { id: 12, name: 'MBA 2025-26 P3', sis: 'MBA-2526-P3', start: '2026-01-05', end: '2026-02-27' },
  { id: 13, name: 'MBA 2025-26 P4', sis: 'MBA-2526-P4', start: '2026-03-02', end: '2026-04-30' },
  { id: 14, name: 'MBA 2025-26 P5', sis: 'MBA-2526-P5', start: '2026-05-04', end: '2026-06-30' },
  { id: 15, name: 'MBA 2026-27 P1', sis: 'MBA-2627-P1', start: '2026-08-24', end: '2026-10-23' },
  { id: 16, name: 'MBA 2026-27 P2', sis: 'MBA-2627-P2', start: '2026-10-26', end: '2026-12-18' },
  { id: 17, name: 'MBA 2026-27 P3', sis: 'MBA-2627-P3', start: '2027-01-04', end: '2027-02-26' },
  { id: 18, name: 'MBA 2026-27 P4', sis: 'MBA-2627-P4', start: '2027-03-01', end: '2027-04-30' },
  { id: 19, name: 'MBA 2026-27 P5', sis: 'MBA-2627-P5', start: '2027-05-03', end: '2027-06-30' },
  { id: 20, name: 'EMBA 2025', sis: 'EMBA-2025', start: '2025-01-06', end: '2025-12-19' },
  { id: 21, name: 'EMBA 2026', sis: 'EMBA-2026', start: '2026-01-05', end: '2026-12-18' },
  { id: 22, name: 'EMBA 2027', sis: 'EMBA-2027', start: '2027-01-04', end: '2027-12-17' },
  { id: 23, name: 'PHD 2025-26', sis: 'PHD-2526', start: '2025-09-01', end: '2026-06-30' },
  { id: 24, name: 'PHD 2026-27', sis: 'PHD-2627', start: '2026-09-01', end: '2027-06-30' },
  { id: 25, name: 'MIM 2025-26 S1', sis: 'MIM-2526-S1', start: '2025-09-01', end: '2025-12-19' },
  { id: 26, name: 'MIM 2025-26 S2', sis: 'MIM-2526-S2', start: '2026-01-12', end: '2026-05-29' },
  { id: 27, name: 'MIM 2026-27 S1', sis: 'MIM-2627-S1', start: '2026-08-31', end: '2026-12-18' },
  { id: 28, name: 'MIM 2026-27 S2', sis: 'MIM-2627-S2', start: '2027-01-11', end: '2027-05-28' },
  { id: 29, name: 'MFIN 2025-26', sis: 'MFIN-2526', start: '2025-08-25', end: '2026-06-30' },
  { id: 30, name: 'MFIN 2026-27', sis: 'MFIN-2627', start: '2026-08-24', end: '2027-06-30' },
  { id: 31, name: 'BFC 2026', sis: 'BFC-2026', start: '2026-02-02', end: '2026-11-27' },
  { id: 32, name: 'MCCC 2025', sis: 'MCCC-2025', start: '2025-03-03', end: '2026-02-27' },
  { id: 33, name: 'MCCC 2026', sis: 'MCCC-2026', start: '2026-03-02', end: '2027-02-26' },
  { id: 34, name: 'EXED 2026', sis: 'EXED-2026', start: '2026-01-01', end: '2026-12-31' },
  { id: 35, name: 'ONLINE 2026', sis: 'ONLINE-2026', start: '2026-01-01', end: '2026-12-31' },
  { id: 36, name: 'EXED Archive', sis: null, start: null, end: null },
];

export type RolePlan = { id: number; name: string; label: string; base: string; state?: 'inactive' };

/** Custom roles; the built-in ones 1 to 8 are Canvas's own (§6.5). */
export const CUSTOM_ROLES: readonly RolePlan[] = [
  { id: 12, name: 'Programme Office', label: 'Programme Office', base: 'AccountMembership' },
  { id: 21, name: 'Programme Coordinator', label: 'Programme Coordinator', base: 'TaEnrollment' },
  { id: 23, name: 'Guest Speaker', label: 'Guest Speaker', base: 'TeacherEnrollment' },
  { id: 40, name: 'Legacy Assistant', label: 'Legacy Assistant', base: 'TaEnrollment', state: 'inactive' },
  { id: 56, name: 'Academic Assistant', label: 'Academic Assistant', base: 'TaEnrollment' },
  { id: 58, name: 'Auditing Participant', label: 'Auditing Participant', base: 'StudentEnrollment' },
  { id: 59, name: 'Exchange Student', label: 'Exchange Student', base: 'StudentEnrollment' },
  { id: 166, name: 'Learning Designer', label: 'Learning Designer', base: 'DesignerEnrollment' },
  { id: 169, name: 'Class Observer', label: 'Class Observer', base: 'ObserverEnrollment' },
];

export type Subject = { code: string; titles: readonly string[] };

export const SUBJECTS: readonly Subject[] = [
  {
    code: 'FIN',
    titles: ['Corporate Finance', 'Valuation', 'Private Equity', 'Financial Markets', 'Fixed Income'],
  },
  { code: 'ACC', titles: ['Financial Accounting', 'Managerial Accounting', 'Reporting and Analysis'] },
  { code: 'ECO', titles: ['Prices and Markets', 'Macroeconomics in the Global Economy', 'Game Theory'] },
  { code: 'MKT', titles: ['Foundations of Marketing', 'Brand Management', 'Pricing', 'Customer Insight'] },
  { code: 'STR', titles: ['Strategy', 'Corporate Transformation', 'Blue Water Strategy Simulation'] },
  { code: 'ORG', titles: ['Organisational Behaviour', 'Leading Organisations', 'Power and Politics'] },
  { code: 'OPS', titles: ['Process and Operations', 'Supply Chain Management', 'Managing Service Quality'] },
  {
    code: 'DSC',
    titles: ['Uncertainty, Data and Judgement', 'Decision Models', 'Machine Learning for Managers'],
  },
  { code: 'ENT', titles: ['New Business Ventures', 'Building Businesses', 'Entrepreneurship in Action'] },
  { code: 'LAW', titles: ['Business Law', 'Negotiations', 'Ethics and Public Policy'] },
  { code: 'TEC', titles: ['Technology Strategy', 'Digital Platforms', 'Innovation by Design'] },
  { code: 'SUS', titles: ['Business and Society', 'Sustainable Finance', 'Energy Transition'] },
];

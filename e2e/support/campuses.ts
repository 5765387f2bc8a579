/** The practice LMSs that the specs share. A worker starts one and keeps it for every spec that names it. */

export const CAMPUSES = {
  /** Imports end immediately; the guide is the institution's own page. */
  quick: {},
  /**
   * Slow enough for a person, or a test, to see the states in between; no guide of its own is configured, so
   * the Guide button opens the console's pages.
   */
  slow: { SANDBOX_IMPORT_PACE: '2', SANDBOX_LATENCY_MS: '60', GUIDE_URL: '' },
  /** Only for the guide's examples: no other test changes their data. */
  examples: { GUIDE_URL: '' },
  /** Only for the award: its specs start without a list, a date or votes. */
  award: {},
  /**
   * Only for the image uploader: its specs start without images. The Guide button opens the console's pages.
   */
  images: { GUIDE_URL: '' },
  /** Only for access: its specs change permissions. The Guide button opens the console's pages. */
  access: { GUIDE_URL: '' },
  /** A second access administrator has to approve changes for the whole school. */
  fourEyes: { ACCESS_FOUR_EYES: 'true', GUIDE_URL: '' },
  /**
   * Only for the directory: its report takes no time, and the LMS is slow enough to see which people are
   * known without its answer.
   */
  directory: { DIRECTORY: 'on', SANDBOX_REPORT_MS: '0', SANDBOX_LATENCY_MS: '60', GUIDE_URL: '' },
} as const satisfies Record<string, Record<string, string>>;

export type CampusKind = keyof typeof CAMPUSES;

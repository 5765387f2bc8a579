/** The campuses that the specs share. A worker starts one and keeps it for every spec that names it. */

export const CAMPUSES = {
  /** Imports end at once; the guide is a page of the institution's own. */
  quick: {},
  /**
   * Slow enough for a person, or a test, to see the states in between; the installation names no guide of its own, so the
   * Guide button leads to the pages of the console.
   */
  slow: { SANDBOX_IMPORT_PACE: '2', SANDBOX_LATENCY_MS: '60', GUIDE_URL: '' },
  /** For the examples of the guide alone: what they find has been changed by no other test. */
  examples: { GUIDE_URL: '' },
  /** For the award alone: its specs begin without a list, a date or votes. */
  award: {},
  /** For the image uploader alone: its specs begin without images. The Guide button leads to the pages of the console. */
  images: { GUIDE_URL: '' },
  /** For access alone: its specs change who may do what. The Guide button leads to the pages of the console. */
  access: { GUIDE_URL: '' },
  /** A second access administrator has to approve what reaches the whole school. */
  fourEyes: { ACCESS_FOUR_EYES: 'true', GUIDE_URL: '' },
} as const satisfies Record<string, Record<string, string>>;

export type CampusKind = keyof typeof CAMPUSES;

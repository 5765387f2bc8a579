/**
 * Returns settings that make a server use a practice LMS's Qualtrics, but otherwise treat that LMS as a real
 * one.
 */
export function qualtricsEnv(campus: string): Record<string, string> {
  return {
    QUALTRICS_URL: `${campus.replace('127.0.0.1', 'localhost')}/qualtrics`,
    QUALTRICS_TOKEN: 'sandbox-qualtrics-token',
    BTA_SURVEY_ID: 'SV_bta2026practice',
  };
}

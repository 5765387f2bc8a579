/**
 * Settings with which a server uses the Qualtrics of a practice LMS, and otherwise treats that LMS as a real
 * one.
 */
export function qualtricsEnv(campus: string): Record<string, string> {
  return {
    QUALTRICS_URL: `${campus.replace('127.0.0.1', 'localhost')}/qualtrics`,
    QUALTRICS_TOKEN: 'sandbox-qualtrics-token',
    BTA_SURVEY_ID: 'SV_bta2026practice',
  };
}

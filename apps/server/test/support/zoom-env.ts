/**
 * Returns settings that make a server use a practice LMS's Zoom, but otherwise treat that LMS as a real one.
 */
export function zoomEnv(campus: string): Record<string, string> {
  const url = campus.replace('127.0.0.1', 'localhost');
  return {
    ZOOM_ACCOUNT_ID: 'sandbox-zoom-account',
    ZOOM_CLIENT_ID: 'sandbox-zoom-client',
    ZOOM_CLIENT_SECRET: 'sandbox-zoom-secret',
    ZOOM_API_URL: `${url}/zoom/v2`,
    ZOOM_HOST: `${url}/zoom`,
    ZOOM_DEFAULT_OWNER: 'lms.admin@northbridge.example',
  };
}

/** Calls to the system page's routes in the matrix. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';

const plain = { ask: () => ({}) };

export const SYSTEM_CALLS = {
  [`GET ${ENDPOINTS.system}`]: plain,
  [`GET ${ENDPOINTS.systemClocks}`]: plain,
  [`GET ${ENDPOINTS.systemCheck}`]: { ask: () => ({ params: { check: 'machine' } }) },
  [`GET ${ENDPOINTS.systemWork}`]: plain,
  [`GET ${ENDPOINTS.systemOutside}`]: plain,
  [`GET ${ENDPOINTS.systemStorage}`]: plain,
  [`GET ${ENDPOINTS.systemKept}`]: plain,
  [`GET ${ENDPOINTS.systemDirectory}`]: plain,
  // Test servers have no directory unless a test asks for one.
  [`POST ${ENDPOINTS.systemDirectoryRefresh}`]: { ask: () => ({}), status: 404 },
  [`GET ${ENDPOINTS.systemErrors}`]: plain,
  [`GET ${ENDPOINTS.systemSupport}`]: { ...plain, asksLms: true as const },
  // No work is held while the other calls run.
  [`POST ${ENDPOINTS.systemRelease}`]: plain,
};

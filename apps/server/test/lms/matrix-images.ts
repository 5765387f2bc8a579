/** Calls to the image uploader's routes in the matrix. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { dataUrl, picture } from '../images/support.ts';

const png = await picture('png');

export const IMAGE_CALLS = {
  [`POST ${ENDPOINTS.imageUpload}`]: { ask: () => ({ body: { name: 'icon.png', file: dataUrl(png) } }) },
  [`GET ${ENDPOINTS.images}`]: { ask: () => ({ query: { search: 'icon' } }) },
};

/** The tracking fields of the account (reference of Zoom §7); others are dropped. */

import type { Meeting } from '../store/model.ts';

const DEFINED = ['Programme', 'Reference'];

export function knownTracking(fields: Meeting['trackingFields']): Meeting['trackingFields'] {
  return fields.filter(({ field }) => DEFINED.includes(field));
}

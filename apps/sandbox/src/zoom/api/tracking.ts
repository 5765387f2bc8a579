/** The account's tracking fields (Zoom reference §7); others are ignored. */

import type { FastifyPluginAsync } from 'fastify';
import type { Guard } from '../http/calls.ts';
import { idOf } from '../store/ids.ts';
import type { Meeting } from '../store/model.ts';

const DEFINED = ['Programme', 'Reference'];

export function knownTracking(fields: Meeting['trackingFields']): Meeting['trackingFields'] {
  return fields.filter(({ field }) => DEFINED.includes(field));
}

export function trackingRoutes(guard: Guard): FastifyPluginAsync {
  return async (app) => {
    app.get('/tracking_fields', guard('tracking_field:read:list_tracking_fields:admin', 'Medium'), () => ({
      total_records: DEFINED.length,
      tracking_fields: DEFINED.map((field) => ({
        id: idOf(`tracking field ${field}`),
        field,
        required: false,
        visible: true,
        recommended_values: [],
      })),
    }));
  };
}

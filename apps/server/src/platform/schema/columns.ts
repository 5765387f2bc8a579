/** Column types that every table uses. */
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });
/** Declares a point in time, with its zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
/** Declares an id of the LMS. */
export const canvasId = (name: string) => bigint(name, { mode: 'number' });

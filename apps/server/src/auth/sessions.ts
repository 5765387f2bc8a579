/** Sessions: an opaque cookie whose hash is stored; one absolute hour (OP-04, OP-08). */
import type { Admin } from '../access/admin.ts';

export interface Sessions {
  /** The admin behind a cookie's value; null when there is none, it has ended, or the access record is gone. */
  find(cookie: string | undefined): Promise<Admin | null>;
}

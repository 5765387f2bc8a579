import { randomBytes } from 'node:crypto';
import { newUuid } from './uuid.ts';

/** Identity of the sandbox that a world belongs to. */
export interface Identity {
  /** The `uuid` of the root account. */
  uuid: string;
  /** Signs the links to files. */
  secret: string;
}

export function newIdentity(): Identity {
  return { uuid: newUuid(), secret: randomBytes(32).toString('hex') };
}

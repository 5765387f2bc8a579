/** LMS tokens of admins: encrypted at rest, apart from the sessions, never sent to a browser (OP-04). */
import type { CanvasToken } from '../canvas/types.ts';

export interface Grants {
  /**
   * Token for calls on the root account: the service token where there is one, else the grant's.
   * @param grantId null is allowed where there is a service token
   */
  rootToken(grantId: string | null): CanvasToken;
  /** The admin's own token. `value()` throws CanvasError `signed-out` when the grant is gone. */
  ownToken(grantId: string): CanvasToken;
  /** Whether a service token is set. */
  readonly hasServiceToken: boolean;
  /**
   * Ends a grant that has been released by its session, once no import needs it any more: revokes it in the LMS as best
   * it can, and forgets it. Called at sign-out and by whoever follows an import to its end. Does nothing else otherwise.
   */
  releaseWhenIdle(grantId: string): Promise<void>;
}

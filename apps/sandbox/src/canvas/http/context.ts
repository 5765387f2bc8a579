/**
 * What every route of Canvas needs. A route plugin is made from a {@link SandboxContext}:
 *
 *     export function sisRoutes(context: SandboxContext): FastifyPluginAsync
 *
 * and is registered with the prefix `/api/v1`. Rules of the house:
 * - Refusals are thrown (`throw notFound()`), the server writes them. Success is returned or sent as a plain object.
 * - Ids leave as numbers; the server turns them into strings when the client asked for that (§1).
 * - The world stays the same object through a reset; anyone who holds rows of it listens to `world.onReset`.
 * - Renderings are kept by the versions of the tables they came from, so change rows through `Table.change`.
 */

import type { SandboxOptions } from '../../config.ts';
import type { Spool } from '../../files/spool.ts';
import type { ImportFault } from '../sis/faults.ts';
import type { World } from '../store/world.ts';

export type { SandboxOptions } from '../../config.ts';
export {
  flag,
  isTrue,
  list,
  nested,
  type Params,
  type ParamValue,
  paramsOf,
  text,
} from '../../http/params.ts';
export { baseUrl } from '../../http/urls.ts';
export { fileJson, progressJson } from '../api/json/files.ts';
export { userJson } from '../api/json/users.ts';
export type { ImportFault } from '../sis/faults.ts';
export { type Caller, currentCaller, currentUser, hasRight, requireRight } from './auth.ts';
export {
  ApiError,
  badBookmark,
  forbidden,
  invalid,
  missing,
  notFound,
  refused,
  serverError,
  unauthenticated,
} from './errors.ts';
export {
  findAccount,
  findCourse,
  findGroup,
  findGroupCategory,
  findSection,
  findTerm,
  findUser,
} from './find.ts';
export { type PagingOptions, paginate } from './paging.ts';
export type { Right } from './rights.ts';
export { type View, viewOf } from './view.ts';

/** The Canvas of a running sandbox, as its routes see it. */
export type SandboxContext = {
  readonly options: SandboxOptions;
  /** The data. A reset empties and fills it again. */
  readonly world: World;
  /** The bytes of files. */
  readonly spool: Spool;
  /**
   * Asked by the import worker when it starts an import: the fault to play, or null.
   * `import-hang`: stay in importing until a reset or abort; `import-fail`: end as failed;
   * `import-crash`: apply half of the rows, then end as failed with data.error_message and data.stack_trace.
   */
  takeImportFault(): ImportFault | null;
};

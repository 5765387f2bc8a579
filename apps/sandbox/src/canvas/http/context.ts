/**
 * What every route of Canvas needs. A route plugin is made from a {@link SandboxContext}:
 *
 * export function sisRoutes(context: SandboxContext): FastifyPluginAsync
 *
 * and is registered with the prefix `/api/v1`. Rules:
 * - Errors are thrown (`throw notFound()`); the server writes them. Results are returned or sent as plain objects.
 * - Answers contain IDs as numbers; the server turns them into strings on request (§1).
 * - The world stays the same object through a reset; code that keeps rows of it listens to `world.onReset`.
 * - Rendered answers are cached by table version, so change rows through `Table.change`.
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

/** Canvas of a running sandbox, as its routes see it. */
export type SandboxContext = {
  readonly options: SandboxOptions;
  /** The data. A reset empties it and seeds it again. */
  readonly world: World;
  /** The bytes of files. */
  readonly spool: Spool;
  /**
   * The fault for the import that starts now, or null; the import worker asks for it. `import-hang`: stay in
   * importing until a reset or abort; `import-fail`: end as failed; `import-crash`: apply half of the rows,
   * then end as failed with data.error_message and data.stack_trace.
   */
  takeImportFault(): ImportFault | null;
};

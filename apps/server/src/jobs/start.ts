/** Kinds of jobs that a tool starts itself, each at its own address. */
import type { JobAbout } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import type { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import type { JobKind } from './kind.ts';

/** Properties of a job that are known before it begins. */
interface Checked {
  label: string;
  /** Courses, terms and programmes, if any. */
  about?: JobAbout;
}

export interface StartableKind extends JobKind {
  readonly start: {
    /** The tool that starts it. */
    readonly tool: ToolId;
    readonly input: z.ZodType;
    /** Size limit of the body, in bytes. */
    readonly bodyBytes?: number;
    /**
     * Checks the input before any work: whether it is allowed, and the title and subject of the job.
     * @throws AppError
     */
    check(admin: Admin, input: unknown): Checked | Promise<Checked>;
  };
}

export function isStartable(kind: JobKind): kind is StartableKind {
  return 'start' in kind;
}

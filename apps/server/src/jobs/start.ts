/** Kinds of jobs that a tool starts by itself, each at an address of its own. */
import type { JobAbout } from '@lms-admin/contract/jobs';
import type { ToolId } from '@lms-admin/contract/tools';
import type { z } from 'zod';
import type { Admin } from '../auth/admin.ts';
import type { JobKind } from './kind.ts';

/** What is known of work before it begins. */
interface Checked {
  label: string;
  /** Courses, terms and programmes, where it is about some. */
  about?: JobAbout;
}

export interface StartableKind extends JobKind {
  readonly start: {
    /** The tool that starts it. */
    readonly tool: ToolId;
    readonly input: z.ZodType;
    /** Largest body. */
    readonly bodyBytes?: number;
    /**
     * What can be said before any work: whether it may be asked for, what it is called and about.
     * @throws AppError
     */
    check(admin: Admin, input: unknown): Checked | Promise<Checked>;
  };
}

export function isStartable(kind: JobKind): kind is StartableKind {
  return 'start' in kind;
}

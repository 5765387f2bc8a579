/** The installation's settings for the browser (OP-15). Links without a setting are null and hidden. */
import { z } from 'zod';

export const publicSettings = z.object({
  institution: z.string(),
  /** Address of the LMS, for links to courses. */
  lms_url: z.string(),
  it_support_email: z.string().nullable(),
  lms_tech_team_email: z.string().nullable(),
  guide_url: z.string().nullable(),
  recordings_url: z.string().nullable(),
  logo_url: z.string().nullable(),
  auto_selected_programmes: z.array(z.number().int()),
  max_selected: z.number().int(),
  max_rows: z.number().int(),
  /** The domain of the school's email addresses; null: Create Users can accept none. */
  school_email_domain: z.string().nullable(),
  /** True when there is a copy of people that can be searched. */
  directory: z.boolean(),
  /** True when the LMS is the practice sandbox. */
  practice: z.boolean(),
});
export type PublicSettings = z.infer<typeof publicSettings>;

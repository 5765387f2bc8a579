/** The templates of step 'Select SIS Type': files of the console below `/csv-templates/` (SIS-03, OP-54). */
import { SIS_TEMPLATES } from '@lms-admin/domain/sis-tables';
import type { SisTemplate } from '@lms-admin/domain/sis-tables/table';

export interface Template extends SisTemplate {
  path: string;
}

/** The build writes the templates to that folder, from the same tables. */
export const TEMPLATES: readonly Template[] = SIS_TEMPLATES.filter(({ place }) => place !== null).map(
  (one) => ({ ...one, path: `/csv-templates/${one.file}` }),
);

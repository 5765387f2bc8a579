import type { ImportKind } from '../csv/detect.ts';
import { abstractCourseImporter } from './abstract-courses.ts';
import { accountImporter } from './accounts.ts';
import { adminImporter } from './admins.ts';
import { changeSisIdImporter } from './change-sis-ids.ts';
import { courseImporter } from './courses.ts';
import { tagImporter, tagMembershipImporter, tagSetImporter } from './differentiation-tags.ts';
import { enrollmentImporter } from './enrollments.ts';
import { gradePublishingImporter } from './grade-publishing.ts';
import { groupCategoryImporter } from './group-categories.ts';
import { groupMembershipImporter } from './group-memberships.ts';
import { groupImporter } from './groups.ts';
import { loginImporter } from './logins.ts';
import { sectionImporter } from './sections.ts';
import { termImporter } from './terms.ts';
import { userObserverImporter } from './user-observers.ts';
import { userImporter } from './users.ts';
import type { Importer } from './work.ts';
import { xlistImporter } from './xlists.ts';

/** Importers by kind of file. */
export const IMPORTERS: Record<ImportKind, Importer> = {
  change_sis_id: changeSisIdImporter,
  account: accountImporter,
  term: termImporter,
  abstract_course: abstractCourseImporter,
  course: courseImporter,
  section: sectionImporter,
  xlist: xlistImporter,
  user: userImporter,
  login: loginImporter,
  enrollment: enrollmentImporter,
  admin: adminImporter,
  group_category: groupCategoryImporter,
  differentiation_tag_set: tagSetImporter,
  group: groupImporter,
  differentiation_tag: tagImporter,
  group_membership: groupMembershipImporter,
  differentiation_tag_membership: tagMembershipImporter,
  grade_publishing_results: gradePublishingImporter,
  user_observer: userObserverImporter,
};

/** Settings of the installation for the browser (OP-15). */
import type { PublicSettings } from '@lms-admin/contract/settings';
import { MAX_SELECTED } from '@lms-admin/domain/constants';
import type { Config } from '../platform/config.ts';

/** Returns the public part of the settings, without secrets or internal addresses. */
export function publicSettings(config: Config): PublicSettings {
  return {
    institution: config.site.institution,
    lms_url: config.lms.url,
    it_support_email: config.site.itSupportEmail,
    lms_tech_team_email: config.site.techTeamEmail,
    guide_url: config.site.guideUrl,
    recordings_url: config.site.recordingsUrl,
    logo_url: config.site.logoUrl,
    auto_selected_programmes: [...config.site.autoSelectedProgrammes],
    max_selected: MAX_SELECTED,
    max_rows: config.maxEnrollmentRows,
    school_email_domain: config.site.emailDomain,
    directory: config.directory.on,
    practice: config.practice,
  };
}

import { awardImportMessages } from '@lms-admin/contract/messages/awards';

/** Where the template is fetched: a file of the console itself (BTA-30, OP-92). */
export const TEMPLATE_PATH = `/award-templates/${awardImportMessages.templateFile}`;

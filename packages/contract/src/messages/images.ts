/** Texts of the image uploader (area IMG), verbatim; our own are marked. */
import { grouped } from '@lms-admin/domain/numbers';
export const imageMessages = {
  title: 'Aws Icons / Image Uploader', // IMG-02
  step: 'Select files', // IMG-03
  /** IMG-04; the document gives their meaning, not their wording. */
  instructions: [
    'Take icons from a stock icon site.',
    'Always use the school’s branding.',
    'Maximum file size is 100KB.',
    'If an image is larger, use an image compressor.',
  ],
  columns: { number: 'Number', name: 'File Name', image: 'Image', status: 'Status' }, // IMG-06
  copied: 'Link Copied', // IMG-07
  upload: 'Upload Images', // IMG-09
  startOver: 'Start Over', // IMG-10
  failed: 'Upload failed', // IMG-14, ERR-03
  /** Ours: OP-93 leaves the wording open. */
  tooLarge: (name: string, bytes: number) =>
    `${name} has ${grouped(bytes)} bytes. Maximum file size is 100KB (100,000 bytes).`,
} as const;

/** Milliseconds for which 'Link Copied' is shown (IMG-07). */
export const LINK_COPIED_MS = 1_000;

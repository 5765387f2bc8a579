/** Texts of Zoom Event Run (area ZR), verbatim. */
export const zoomRunMessages = {
  title: 'Zoom Events run (more than one section)', // ZR-02
  steps: ['Course Data', 'Upload Data (s3)', 'Completed'], // ZR-04, ZR-05, ZR-06
  tabs: ['One Time Run', 'Add to Queue'], // ZR-04
  completed: 'Zoom process created, Zoom Links will update in a few minutes. You can leave the page.', // ZR-06
  days: 'Days', // ZR-08
  needCourse: 'Please Enter Correct Course ID', // ZR-12
} as const;

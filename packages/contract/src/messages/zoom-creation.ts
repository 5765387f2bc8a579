/** Texts of Zoom Creation (area ZC), verbatim. */
export const zoomCreationMessages = {
  title: 'Zoom Creation', // ZC-02
  course: 'Course ID',
  hint: 'Type course ID and press enter to continue',
  notFound: 'Unable to find calendar events for requested course.', // ZC-03
  courseId: (id: number) => `Course ID: ${id}`, // ZC-04
  merge: 'Merge Zoom Link', // ZC-05
  manage: 'Manage Zoom Links',
  columns: {
    id: 'Canvas Event ID', // ZC-07
    reservation: 'TE Reservation ID',
    title: 'Title',
    time: 'Date and Time',
    link: 'Zoom Link',
    host: 'Zoom Host',
    coHost: 'Co Host',
    visibility: 'Zoom Link Visibility',
    ics: 'Download Calendar (ICS) File',
  },
  noIcs: 'N/A', // ZC-10
  tableTitle: (date: string) => `Calendar Events from ${date} to Next 30 Days`, // ZC-11
  loading: 'Loading..', // ZC-14
  none: "Couldn't find the calendar events.",
  publish: {
    title: 'Publish Zoom Links', // ZC-18
    owner: 'Owner',
    visibility: 'Visibility',
    zoomOwner: 'Zoom Owner', // ZC-19
    defaultOwner: 'LMS Admin', // ZC-20
    selected: 'Selected Events', // ZC-23
    done: 'Successfully event(s) updated.', // ZC-24
    needOwner: 'Zoom owner cannot be empty.', // ZC-25
    changeOwner: 'Please change Zoom Owner.', // ZC-26
    ownerFirst: 'Please select owner, before making link visible', // ZC-27
    needEvents: 'Select a zoom event(s) before you click Publish.', // ZC-29
  },
  mergeDialog: {
    title: 'Merge Zoom Links', // ZC-30
    main: 'Select Main event',
    needParent: 'Please select a parent event.', // ZC-32
  },
  cancel: 'Cancel', // ZC-23, ZC-30
  save: 'Save',
  done: 'Done',
} as const;

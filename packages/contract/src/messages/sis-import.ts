/** Texts of SIS Import (area SIS), verbatim. */
export const sisImportMessages = {
  steps: ['Select SIS Type', 'Upload Csv', 'Status and Review'], // SIS-02
  pick: 'Select Csv File', // SIS-04
  needFile: 'Please Select a CSV File.', // SIS-05
} as const;

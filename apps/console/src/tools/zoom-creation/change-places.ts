/** ID of the save button, which gets the focus after a warning about the events. */
export const SAVE = 'zoom-save';

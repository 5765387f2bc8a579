/** Id of the button that saves: focus goes to it after a warning about the events. */
export const SAVE = 'zoom-save';

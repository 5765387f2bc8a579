/** Texts in every wizard. */
export const texts = {
  step: (number: number, of: number) => `Step ${number} of ${of}`,
  announce: (number: number, of: number, title: string) => `Step ${number} of ${of}: ${title}`,
  steps: 'Steps',
  done: 'done',
  chosen: 'Selected so far',
  nothingChosen: 'Nothing selected yet',
} as const;

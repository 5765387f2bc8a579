/** Texts for notices. */
export const texts = {
  /** Name of the list of a notice. */
  list: (title: string) => `List: ${title}`,
} as const;

/** Texts for notices. */
export const texts = {
  /** Names the list of a notice. */
  list: (title: string) => `List: ${title}`,
} as const;

/** Texts of ours for notices. */
export const texts = {
  /** What the list of a notice is called. */
  list: (title: string) => `List: ${title}`,
} as const;

import { type CSSObject, css, type Theme } from '@mui/material/styles';

type Serialized = ReturnType<typeof css>;

/**
 * Styles that depend on the theme only, worked out once: as a plain function they are made into text again at every render,
 * which a long list feels.
 */
export function onceThemed(styles: (theme: Theme) => CSSObject): (props: { theme: Theme }) => Serialized {
  const made = new WeakMap<Theme, Serialized>();
  return ({ theme }) => {
    const known = made.get(theme) ?? css(styles(theme) as Parameters<typeof css>[0]);
    made.set(theme, known);
    return known;
  };
}

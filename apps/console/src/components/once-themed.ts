import { type CSSObject, css, type Theme } from '@mui/material/styles';

type Serialized = ReturnType<typeof css>;

/**
 * Computes styles once that depend only on the theme: a plain function would be serialised again at every render, which
 * slows down a long list.
 */
export function onceThemed(styles: (theme: Theme) => CSSObject): (props: { theme: Theme }) => Serialized {
  const serialized = new WeakMap<Theme, Serialized>();
  return ({ theme }) => {
    const known = serialized.get(theme) ?? css(styles(theme) as Parameters<typeof css>[0]);
    serialized.set(theme, known);
    return known;
  };
}

import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** Shown for a figure that could not be determined. */
const UNKNOWN = '–';
/** Maximum number of figures in a line; more of them wrap into lines of equal length. */
const MOST_IN_LINE = 6;

export interface Figure {
  label: string;
  /** Null if the figure is not known. */
  value: number | null;
  /** Emphasises figures of changes. */
  strong?: boolean;
  /** Whether the figure counts removals. */
  takes?: boolean;
  /** Whether the figure counts rows that will fail. */
  wrong?: boolean;
}

function inkOf({ strong, takes, wrong }: Pick<Figure, 'strong' | 'takes' | 'wrong'>): string {
  if (takes) return 'error.main';
  if (wrong) return 'warning.main';
  return strong ? 'primary.main' : 'text.primary';
}

/** Figures side by side, such as the totals of a review. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  const lines = Math.ceil(figures.length / MOST_IN_LINE);
  const inLine = Math.ceil(figures.length / Math.max(1, lines));
  return (
    <Box
      component="dl"
      aria-label={label}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: `repeat(${inLine}, 1fr)` },
        m: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        '& > div': { p: 2, boxShadow: (theme) => `0 0 0 0.5px ${theme.vars.palette.divider}` },
      }}
    >
      {figures.map(({ label: name, value, strong = false, takes = false, wrong = false }) => (
        <Box key={name} sx={{ display: 'flex', flexDirection: 'column-reverse' }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Box
            component="dd"
            sx={{
              m: 0,
              fontSize: '1.75rem',
              lineHeight: 36 / 28,
              fontVariantNumeric: 'tabular-nums',
              fontWeight: strong || wrong ? 680 : 450,
              color: (value ?? 0) === 0 ? 'text.primary' : inkOf({ strong, takes, wrong }),
            }}
          >
            {value?.toLocaleString('en-GB') ?? UNKNOWN}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

import type { Plan } from '@lms-admin/contract/enrollments';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { comparedNone } from './plan-summary.ts';
import { texts } from './texts.ts';

/** The totals of a plan: what will change stands out, what stays is quiet. */
export function PlanFigures({ plan }: { plan: Plan }) {
  const { columns, found, notFound } = texts.review;
  const { totals, people } = plan;
  const adding = plan.status === 'active';
  const known = !comparedNone(plan);
  const figures: { label: string; value: number | null; strong?: boolean }[] = [
    adding
      ? { label: columns.add, value: totals.add, strong: true }
      : { label: columns.remove, value: totals.remove, strong: true },
    adding
      ? { label: columns.already, value: known ? totals.already : null }
      : { label: columns.notEnrolled, value: known ? totals.not_enrolled : null },
    { label: found, value: people.found },
    { label: notFound, value: people.not_found.length },
  ];
  return (
    <Box
      component="dl"
      aria-label={texts.review.total}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' },
        m: 0,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'hidden',
        '& > div': { p: 2, boxShadow: (theme) => `0 0 0 0.5px ${theme.vars.palette.divider}` },
      }}
    >
      {figures.map(({ label, value, strong = false }) => (
        <Box key={label} sx={{ display: 'flex', flexDirection: 'column-reverse' }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {label}
          </Typography>
          <Box
            component="dd"
            sx={{
              m: 0,
              fontSize: '1.75rem',
              lineHeight: 36 / 28,
              fontVariantNumeric: 'tabular-nums',
              fontWeight: strong ? 680 : 450,
              color: strong && (value ?? 0) > 0 ? 'primary.main' : 'text.primary',
            }}
          >
            {value?.toLocaleString('en-GB') ?? texts.review.unknown}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

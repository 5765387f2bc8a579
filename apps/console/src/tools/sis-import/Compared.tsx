import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { type SisEffect, sisEffect, sisEffectRows } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getJson } from '../../api/client.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { allTaken, deletedParts, effectFigures, removalsOf } from './effect-words.ts';
import { texts } from './texts.ts';

/**
 * The changes that the review showed for a file. They are repeated because the LMS counts only rows, including those
 * without effect.
 */
export function ComparedFile({ file: key, of }: { file: string | null; of: SisImport }) {
  const carriedOut = of.verdict === 'done' || of.verdict === 'partly';
  const { data: effect } = useQuery({
    queryKey: ['sis-effects', key, 'sent'],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.sisEffect.replace(':file', encodeURIComponent(key ?? '')), sisEffect, { signal }),
    enabled: key !== null && carriedOut,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Files and their changes are stored only for a limited time.
  if (effect === undefined || !carriedOut) return null;
  return (
    <Box>
      <Typography variant="h3" component="p" sx={{ mb: 1 }}>
        {texts.compared}
      </Typography>
      <Figures label={texts.compared} figures={effectFigures(effect)} />
      <Removed effect={effect} />
    </Box>
  );
}

/** Maximum number of names for each kind. */
const MOST_NAMED = 5;

/** All removals of the file, with everything that ended as a result, the confirmed number, and the deleted names. */
function Removed({ effect }: { effect: SisEffect }) {
  const { file, made_at: createdAt, brake } = effect;
  const parts = deletedParts(effect);
  const named = useQueries({
    queries: parts.map(({ kind, does }) => ({
      queryKey: ['sis-effects', file, createdAt, 'deleted', kind],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        getJson(ENDPOINTS.sisEffectRows.replace(':file', encodeURIComponent(file)), sisEffectRows, {
          query: [
            ['table', kind],
            ['does', does],
          ],
          signal,
        }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  if (allTaken(brake) === 0) return null;
  const lines = parts.flatMap((part, at) => {
    const names = (named[at]?.data?.rows ?? []).slice(0, MOST_NAMED).map(({ of }) => texts.removed.name(of));
    return names.length === 0 ? [] : [texts.removed.deleted(part.kind, names, part.rows - names.length)];
  });
  return (
    <Box sx={{ mt: 1.5, maxWidth: '68ch', overflowWrap: 'anywhere' }}>
      <Typography>{texts.removed.all(removalsOf(brake), brake.confirm)}</Typography>
      {lines.map((line) => (
        <Typography key={line}>{line}</Typography>
      ))}
    </Box>
  );
}

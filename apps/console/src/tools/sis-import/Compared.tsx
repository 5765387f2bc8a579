import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { sisEffect } from '@lms-admin/contract/sis-effects';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { getJson } from '../../api/client.ts';
import { Figures } from '../../components/Figures/Figures.tsx';
import { effectFigures } from './effect-words.ts';
import { texts } from './texts.ts';

/** What a file did by the comparison that was looked at: the LMS counts its rows only, also those without effect. */
export function ComparedFile({ file: key, of }: { file: string | null; of: SisImport }) {
  const carriedOut = of.verdict === 'done' || of.verdict === 'partly';
  const { data: effect } = useQuery({
    queryKey: ['sis-effects', key, 'sent'],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.sisEffect.replace(':file', encodeURIComponent(key ?? '')), sisEffect, { signal }),
    enabled: key !== null && carriedOut,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Files are kept for a while only, and what they did with them.
  if (effect === undefined || !carriedOut) return null;
  return (
    <Box>
      <Typography variant="h3" component="p" sx={{ mb: 1 }}>
        {texts.compared}
      </Typography>
      <Figures label={texts.compared} figures={effectFigures(effect)} />
    </Box>
  );
}

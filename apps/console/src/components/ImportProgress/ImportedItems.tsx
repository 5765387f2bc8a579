import { type SisImport } from '@lms-admin/contract/imports';
import { countLabels, messages } from '@lms-admin/contract/messages';
import { COUNT_NAMES } from '@lms-admin/domain/import-states';
import { grouped } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { importedCounts } from './import-watch.ts';
import { texts } from './texts.ts';

/** 'Imported Items': how many of each kind the LMS imported (IMP-14, CE-23). */
export function ImportedItems({ of }: { of: SisImport }) {
  const id = useId();
  const counts = importedCounts(of, COUNT_NAMES);
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h3" sx={{ mb: 1 }}>
        {messages.import.items}
      </Typography>
      {counts.length === 0 ? (
        <Typography color="textSecondary">{texts.nothingImported}</Typography>
      ) : (
        <Box component="dl" sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 5, rowGap: 2, m: 0 }}>
          {counts.map(([name, count]) => (
            <Box key={name} sx={{ display: 'flex', flexDirection: 'column-reverse' }}>
              <Typography component="dt" variant="body2" color="textSecondary">
                {countLabels[name] ?? name}
              </Typography>
              <Box
                component="dd"
                sx={{ m: 0, fontSize: '1.75rem', lineHeight: 36 / 28, fontVariantNumeric: 'tabular-nums' }}
              >
                {grouped(count)}
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}

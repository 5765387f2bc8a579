import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { ChevronDownIcon } from '../../components/Icons.tsx';
import type { Panel as PanelId } from './course-work.ts';
import { PLACES } from './dialog-part.ts';

export interface PanelProps {
  id: PanelId;
  title: string;
  /** Secondary text beside the title, such as a count. */
  note?: string;
  open: boolean;
  onToggle: (open: boolean) => void;
  children: ReactNode;
}

/** One of the three accordions of a course; work inside continues while it is closed. */
export function Panel({ id, title, note = '', open, onToggle, children }: PanelProps) {
  const place = PLACES[id];
  return (
    <Accordion
      expanded={open}
      onChange={(_, on) => onToggle(on)}
      disableGutters
      square={false}
      // Not `hidden`: sticky content would stick to the panel instead of the dialog.
      sx={{ borderRadius: 1, '&::before': { display: 'none' }, overflow: 'clip' }}
    >
      <AccordionSummary
        id={place}
        aria-controls={`${place}-content`}
        expandIcon={<ChevronDownIcon />}
        sx={{
          px: { xs: 2, sm: 3 },
          minHeight: 56,
          '&.Mui-focusVisible': { bgcolor: 'surface.rowHover' },
          '& .MuiAccordionSummary-content': { alignItems: 'baseline', flexWrap: 'wrap', columnGap: 2 },
        }}
      >
        <Box component="span" sx={{ typography: 'h2' }}>
          {title}
        </Box>
        {note !== '' && (
          <Box component="span" sx={{ typography: 'body2', color: 'text.secondary' }}>
            {note}
          </Box>
        )}
      </AccordionSummary>
      <AccordionDetails
        id={`${place}-content`}
        sx={{ px: { xs: 2, sm: 3 }, pb: 3, pt: 1, borderTop: 1, borderColor: 'divider' }}
      >
        {children}
      </AccordionDetails>
    </Accordion>
  );
}

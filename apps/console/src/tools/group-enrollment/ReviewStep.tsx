import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { EmptyState } from '../../components/States/EmptyState.tsx';
import { SummaryTable } from '../../components/SummaryTable/SummaryTable.tsx';
import { texts } from './texts.ts';
import type { GroupStep } from './useGroupWork.ts';

const nothing = () => undefined;

/** Step 'Review and Process' with its documented columns: always empty, as each course's dialog submits (OP-74). */
export function ReviewStep({ dispatch }: GroupStep) {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <SummaryTable
        rows={[]}
        figures={[]}
        totals={{}}
        onViewList={nothing}
        empty={
          <EmptyState
            title={texts.review.empty}
            action={
              <Button variant="outlined" onClick={() => dispatch({ type: 'back' })}>
                {texts.review.toCourses}
              </Button>
            }
          >
            {texts.review.emptyNext}
          </EmptyState>
        }
      />
    </Box>
  );
}

import type { SectionPlan } from '@lms-admin/contract/enrollments';
import { counted } from '@lms-admin/domain/numbers';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactNode, useState } from 'react';
import { NotFoundChips } from '../../components/NotFound/NotFoundChips.tsx';
import { texts } from './texts.ts';

/** Maximum number of sections for which IDs not found are shown immediately. */
const MOST_MISSING = 5;

/** The chips 'User Not Found', section by section (SE-05); renders nothing if everyone was found. */
export function MissingPeople({ plan, action }: { plan: SectionPlan; action?: ReactNode }) {
  const [all, setAll] = useState(false);
  const missing = plan.entries.filter(({ not_found }) => not_found.length > 0);
  if (missing.length === 0) return null;
  const shown = all ? missing : missing.slice(0, MOST_MISSING);
  return (
    <>
      {shown.map(({ course, section, role, not_found }) => (
        <NotFoundChips
          key={`${section.id} ${role.id}`}
          names={not_found}
          of={texts.review.of(course.name, section.name)}
        />
      ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {shown.length < missing.length && (
          <Button size="small" onClick={() => setAll(true)}>
            {texts.review.moreMissing(counted(missing.length - shown.length, 'section', 'sections'))}
          </Button>
        )}
        {action}
      </Box>
    </>
  );
}

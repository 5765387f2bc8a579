import type { Job } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import type { ComponentType } from 'react';
import { CheckIcon, type IconProps, StopIcon, WarningIcon } from '../Icons.tsx';
import { CancelledIcon, ClockIcon, RunningIcon } from '../WorkIcons.tsx';
import { type JobStatus, numbersOf, statusOf } from './job-words.ts';
import { texts } from './texts.ts';

const APPEARANCE: Readonly<Record<JobStatus, { icon: ComponentType<IconProps>; color: string }>> = {
  queued: { icon: ClockIcon, color: 'text.secondary' },
  running: { icon: RunningIcon, color: 'secondary.main' },
  waiting: { icon: ClockIcon, color: 'warning.main' },
  done: { icon: CheckIcon, color: 'success.main' },
  partly: { icon: WarningIcon, color: 'warning.main' },
  failed: { icon: StopIcon, color: 'error.main' },
  cancelled: { icon: CancelledIcon, color: 'text.secondary' },
};

/** The state of a job: an icon and its word, and the progress while it is running. */
export function JobState({ job }: { job: Pick<Job, 'state' | 'outcome' | 'progress'> }) {
  const standing = statusOf(job);
  const { icon: Icon, color } = APPEARANCE[standing];
  const numbers = standing === 'running' ? numbersOf(job.progress) : '';
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 0.75,
        maxWidth: '100%',
        verticalAlign: 'middle',
      }}
    >
      <Box component="span" sx={{ color, lineHeight: 0, flex: 'none' }}>
        <Icon size={18} />
      </Box>
      <Box
        component="span"
        sx={{ overflow: 'hidden', textOverflow: 'ellipsis', fontVariantNumeric: 'tabular-nums' }}
      >
        {texts.states[standing]}
        {numbers !== '' && ` · ${numbers}`}
      </Box>
    </Box>
  );
}

import type { JobFile } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { jobFilePath } from '../../api/jobs.ts';
import { sizeOf } from '../../components/size-of.ts';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import { texts } from './texts.ts';

/** The files that a job created, for download. */
export function JobFiles({ job, files }: { job: string; files: readonly JobFile[] }) {
  return (
    <Box component="section" aria-label={texts.files}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {texts.files}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
        {files.map(({ id, name, bytes }) => (
          <Button
            key={id}
            component="a"
            href={jobFilePath(job, id)}
            download
            size="small"
            variant="outlined"
            color="inherit"
            startIcon={<DownloadIcon size={16} />}
            sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
          >
            {texts.download(name, sizeOf(bytes))}
          </Button>
        ))}
      </Box>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { CheckIcon, StopIcon, WarningIcon } from '../Icons.tsx';
import { FileIcon } from '../WorkIcons.tsx';

export interface FileCardProps {
  name: string;
  /** Type and size of the file. */
  about: string;
  /** Why the file cannot be used; null if it can. */
  problem: string | null;
  /** Text for a file that can be used. */
  fine: string;
  /** Whether that text is a warning: the file needs further work. */
  warns?: boolean;
  /** Additional information about a file that can be used. */
  note?: string;
  /** Label of the button that removes the file, and its name for screen readers. */
  remove: readonly [label: string, of: string];
  onRemove: () => void;
}

/** A chosen file, and the result of its first check. */
export function FileCard({
  name,
  about,
  problem,
  fine,
  warns = false,
  note,
  remove,
  onRemove,
}: FileCardProps) {
  const bad = problem !== null;
  return (
    <Box
      role="group"
      aria-label={name}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr) auto',
        columnGap: 1.5,
        alignItems: 'start',
        p: 2,
        border: 1,
        borderRadius: 1,
        borderColor: bad ? 'error.main' : 'divider',
        bgcolor: bad ? 'surface.stop' : 'background.paper',
      }}
    >
      <Box sx={{ color: bad ? 'error.main' : 'primary.main', lineHeight: 0, pt: '2px' }}>
        {bad ? <StopIcon /> : <FileIcon />}
      </Box>
      <Box sx={{ display: 'grid', gap: 0.5 }}>
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Typography color="textSecondary">{about}</Typography>
        {bad ? (
          <Typography sx={{ overflowWrap: 'anywhere' }}>{problem}</Typography>
        ) : (
          <Typography sx={{ display: 'flex', gap: 0.75, alignItems: 'center' }}>
            <Box component="span" sx={{ color: warns ? 'warning.main' : 'success.main', lineHeight: 0 }}>
              {warns ? <WarningIcon size={18} /> : <CheckIcon size={18} />}
            </Box>
            {fine}
          </Typography>
        )}
        {!bad && note !== undefined && (
          <Typography variant="body2" color="textSecondary">
            {note}
          </Typography>
        )}
      </Box>
      <Button size="small" color="inherit" variant="outlined" aria-label={remove[1]} onClick={onRemove}>
        {remove[0]}
      </Button>
    </Box>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { CheckIcon, StopIcon, WarningIcon } from '../Icons.tsx';
import { FileIcon } from '../WorkIcons.tsx';

export interface FileCardProps {
  name: string;
  /** What it is, and how large. */
  about: string;
  /** Why it cannot be used; null when it can. */
  problem: string | null;
  /** What is said of one that can be used. */
  fine: string;
  /** Whether that is no praise: something is left to be done about it. */
  warns?: boolean;
  /** Good to know about one that can be used. */
  note?: string;
  /** Name of the button that takes it away, and what that is called for people who hear it. */
  remove: readonly [label: string, of: string];
  onRemove: () => void;
}

/** A file that was chosen, and what the first look at it found. */
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

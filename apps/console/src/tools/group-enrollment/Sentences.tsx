import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** What will happen, first and in bold, then the rows left unchanged. */
export function Sentences({ of }: { of: readonly string[] }) {
  return (
    <Box sx={{ maxWidth: '72ch', overflowWrap: 'anywhere' }}>
      {of.map((sentence, index) => (
        <Typography
          key={sentence}
          variant={index === 0 ? 'h3' : 'body1'}
          component="p"
          color={index === 0 ? 'textPrimary' : 'textSecondary'}
        >
          {sentence}
        </Typography>
      ))}
    </Box>
  );
}

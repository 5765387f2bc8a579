import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** The heading of a screen without a wizard, and its purpose. The heading gets the focus when the screen opens. */
export function ScreenHead({ title, purpose }: { title: string; purpose: string }) {
  return (
    <Box>
      <Typography variant="h1" tabIndex={-1}>
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, maxWidth: '68ch' }}>
        {purpose}
      </Typography>
    </Box>
  );
}

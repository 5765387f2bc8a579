/** The product's table on its own: many courses or, with `?nested`, events that have others nested below them. */
import { ThemeProvider } from '@mui/material/styles';
import { createRoot } from 'react-dom/client';
import { theme } from '../../apps/console/src/app/theme.ts';
import { LiveRegions } from '../../apps/console/src/components/Announcer.tsx';
import { Courses } from './Courses.tsx';
import { Events } from './Events.tsx';

const wanted = new URLSearchParams(window.location.search);
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <ThemeProvider theme={theme}>
      <main>
        {wanted.has('nested') ? (
          <Events selecting={wanted.has('selecting')} />
        ) : (
          <Courses count={Number(wanted.get('rows') ?? 20_000)} />
        )}
      </main>
      <LiveRegions />
    </ThemeProvider>,
  );
}

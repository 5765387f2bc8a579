import '@fontsource-variable/figtree/wght.css';
import './app/base.css';
// Must run before any schema is created.
import './app/no-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { ignoreSecondPressElsewhere } from './app/double-press.ts';
import { enter } from './app/sign-in/entry.ts';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
ignoreSecondPressElsewhere();
void enter();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

import '@fontsource-variable/figtree/wght.css';
import './app/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { enter } from './app/sign-in/entry.ts';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
void enter();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

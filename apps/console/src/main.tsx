import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './app/console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { watchSession } from './session/watch-session.ts';
import { loadTexts } from './texts/define-texts.ts';

watchSession(queryClient);

function start(): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

// In a task of its own: on a phone, loading the modules is a long one already.
void loadTexts().then(() => setTimeout(start));

import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import './app/console.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { App } from './app/app.tsx';
import { loadFont } from './app/font.ts';
import { watchSession } from './session/watch-session.ts';
import { loadTexts } from './texts/define-texts.ts';

watchSession(queryClient);
loadFont();
void loadTexts().then(() => {
  // In a transition, a slow phone paints and reacts to input in between.
  startTransition(() =>
    createRoot(document.getElementById('root')!).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
});

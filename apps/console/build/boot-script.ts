import type { Plugin } from 'vite';

/** Lets src/boot.ts of the built page run before the application has loaded. */
export function bootScript(): Plugin {
  return {
    name: 'boot-script',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const boot = Object.values(bundle ?? {}).find(
          (file) => file.type === 'chunk' && file.name === 'boot',
        );
        if (!boot) return html;
        const tag = `src="/${boot.fileName}"`;
        if (!html.includes(tag)) throw new Error('The page does not load boot.ts');
        return html.replace(tag, `async ${tag}`);
      },
    },
  };
}

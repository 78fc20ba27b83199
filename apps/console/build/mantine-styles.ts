import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const COMPONENT = /@mantine\/core\/esm\/(?:components|utils)\/(?:.*\/)?(\w+)\.mjs$/;

const SCROLL_AREA = 'import { ScrollArea } from "../ScrollArea/ScrollArea.mjs";';

/** Every table brings Mantine's own scroll bars along, a tenth of the first load; the theme has ours scroll natively. */
function withNativeScrolling(code: string): string {
  if (!code.includes(SCROLL_AREA))
    throw new Error('Mantine imports the ScrollArea of its tables otherwise now');
  return code.replace(SCROLL_AREA, "const ScrollArea = 'div';");
}

/**
 * Lets each component of Mantine bring its own style sheet, so that a page loads the styles of what it shows: all of them
 * together are a sixth of what the first load may weigh.
 */
export function mantineStyles(): Plugin {
  const styles = dirname(createRequire(import.meta.url).resolve('@mantine/core/styles/global.css'));
  return {
    name: 'mantine-styles',
    transform(code, id) {
      const name = COMPONENT.exec(id)?.[1];
      if (name === 'TableScrollContainer') return { code: withNativeScrolling(code), map: null };
      if (!name || !existsSync(join(styles, `${name}.css`))) return null;
      return { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null };
    },
  };
}

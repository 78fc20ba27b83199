import { nodePanelTexts as t } from '../../texts/node-panel.ts';

/** Parses a JSON object, or returns an error message. */
export function parseObject(
  text: string,
): { value: Record<string, unknown>; problem: null } | { value: null; problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { value: value as Record<string, unknown>, problem: null };
    }
    return { value: null, problem: t.notObject };
  } catch (error) {
    return { value: null, problem: t.notJson(error instanceof Error ? error.message : '') };
  }
}

export const spell = (value: unknown) => JSON.stringify(value, null, 2);

// Node's own URL follows the same standard.
export const { URL, URLSearchParams } = globalThis;

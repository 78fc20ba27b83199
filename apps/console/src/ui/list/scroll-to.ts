/** Scrolls to an element, as its ref: it runs once for an element. */
export const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

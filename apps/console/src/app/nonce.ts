/** The page's nonce. Its Content-Security-Policy allows styles with it that libraries insert at run time. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// react-remove-scroll, which blocks scrolling behind a dialog, reads it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

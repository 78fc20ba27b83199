/** The nonce of this page, with which its Content-Security-Policy lets styles in that libraries make as they run. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// react-remove-scroll, which keeps the page still below a dialog, looks for it here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

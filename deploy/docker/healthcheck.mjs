/** What HEALTHCHECK runs in an image: exits 0 while the service beside it is in rotation. */
const answer = await fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);

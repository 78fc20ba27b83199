/** The HEALTHCHECK of an image: exits 0 while the service is ready. */
const answer = await fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);

module.exports = {
  waymark: {
    input: 'openapi.json',
    output: {
      target: 'client.ts',
      client: 'fetch',
      baseUrl: { runtime: 'process.env.WAYMARK_URL' },
      // Orval cannot send JSON and archives with one function.
      override: { contentType: { exclude: ['application/zip'] } },
    },
  },
};

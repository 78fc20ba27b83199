import http from 'node:http';

/**
 * A fast receiver in its own process. It answers 204 and stores when each record arrived. `/figures`
 * returns and clears them: `[id of the record in the payload, Unix milliseconds]`. It prints its port.
 */
const arrivals: [id: string, atMs: number][] = [];

const server = http.createServer(async (request, response) => {
  if (request.url === '/figures') {
    response.end(JSON.stringify(arrivals.splice(0)));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const atMs = performance.timeOrigin + performance.now();
  response.statusCode = 204;
  response.end();
  arrivals.push([JSON.parse(Buffer.concat(chunks).toString()).data.id, atMs]);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as { port: number }).port));
process.on('disconnect', () => process.exit(0));

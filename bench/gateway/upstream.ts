import http from 'node:http';

/** A trivial service behind each gateway: 1 KB of JSON for everything. */
const body = JSON.stringify({ decisions: [], next_cursor: null, padding: 'x'.repeat(980) });
const server = http.createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.keepAliveTimeout = 75_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');

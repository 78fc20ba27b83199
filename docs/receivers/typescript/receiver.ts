import { verifyWebhook, WebhookVerificationError } from '@waymark/client';
import express from 'express';

const port = Number(process.env['PORT'] ?? 4000);
const secret = process.env['WEBHOOK_SECRET'] ?? '';
/** In a service of more than one process: a unique index in its database. */
const seen = new Set<string>();

const app = express();

// The raw bytes: a body that was parsed and written again does not have the signature of the one that was
// sent.
app.post('/', express.raw({ type: 'application/json', limit: '2mb' }), (request, response) => {
  try {
    const { id, event, payload } = verifyWebhook(request.body, request.headers, secret);
    response.sendStatus(204);
    if (seen.has(id)) return;
    seen.add(id);
    console.log(event, payload.data);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(401).send(error.message);
  }
});

app.listen(port, '127.0.0.1', () => console.log(`Waiting for webhooks on http://127.0.0.1:${port}/`));

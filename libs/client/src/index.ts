export * from './api.ts';
export {
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';
